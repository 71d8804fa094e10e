// SPDX-License-Identifier: MIT
// expect-error: xgrad::weight_norm<axes\.\.\.>\(v, g\): g has another shape
// Lengths of rows for columns.
#include <xgrad/ops/normalization/lengths.hpp>
#include <xgrad/ops/shape_ops.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto r = xg::input<"r", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::weight_norm<0>(x, xg::expand_dims<1>(r));
#else
constexpr auto y = xg::weight_norm<0>(x, s);
#endif
