// SPDX-License-Identifier: MIT
// expect-error: xgrad: shapes such as \[batch, 1\] and \[batch\] would broadcast to \[batch, batch\], each row with all others
// expect-error: "\[batch, 1\]"}.*"\[batch\]"
// A column minus a vector of one dimension: each row with all others.
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
constexpr auto z = xg::mean(xg::square(xg::matmul(x, xg::variable<"v", float, 4, 1>) - t));
#else
constexpr auto column = xg::matmul(x, xg::variable<"v", float, 4, 1>);
constexpr auto z = xg::mean(xg::square(xg::squeeze<1>(column) - t));
constexpr auto pairs = column - xg::expand_dims<0>(t);                   // meant
constexpr auto same = xg::broadcast_to<batch, batch>(t) - column;        // meant
constexpr auto kernel = xg::exp(-pairs) * t;                             // [batch, batch] is there already
#endif
