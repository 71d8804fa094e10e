// SPDX-License-Identifier: MIT
// expect-error: xgrad::saver: an owner is given in place of the folder
// A saver of a trainer.
#include <xgrad/xgrad.hpp>
#include <xgrad/io/saver.hpp>

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
void make() { auto train = xg::minimize(loss, xg::adam{}); xg::saver keep(train, "run"); }
#else
void make() { auto train = xg::minimize(loss, xg::adam{}); xg::saver keep("run"); keep.save(train); }
#endif
