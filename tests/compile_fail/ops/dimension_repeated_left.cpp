// SPDX-License-Identifier: MIT
// expect-error: xgrad: shapes such as \[batch, 1\] and \[batch\] would broadcast to \[batch, batch\], each row with all others
// The same with the vector first.
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
constexpr auto z = t * xg::input<"u", float, 5, batch, 1>;
#else
constexpr auto z = t * xg::squeeze<2>(xg::input<"u", float, 5, batch, 1>);
#endif
