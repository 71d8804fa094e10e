// SPDX-License-Identifier: MIT
// expect-error: xgrad::any_trainer: the argument is not a trainer, or is not moved
// A function.
#include <xgrad/xgrad.hpp>
#include <xgrad/train/any_trainer.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"time"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto t = xg::input<"t", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto logits = xg::matmul(x, w);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

#ifdef XGRAD_EXPECT_ERROR
xg::any_trainer make() { return xg::function{xg::sum(x)}; }
#else
xg::any_trainer make() { return xg::minimize(loss, xg::adam{}); }
#endif
