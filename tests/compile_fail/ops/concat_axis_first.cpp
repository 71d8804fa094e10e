// SPDX-License-Identifier: MIT
// expect-error: xgrad::concat<axis>\(a, b\.\.\.\): the axis is not in angle brackets, or the expressions are missing or in braces
// The axis as an argument.
#include <xgrad/ops/ops.hpp>

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
constexpr auto z = xg::concat(1, x, x);
#else
constexpr auto z = xg::concat<1>(x, x);
#endif
