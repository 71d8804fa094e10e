// SPDX-License-Identifier: MIT
// expect-error: xgrad::fractional_max_pool2d\(x, rows, columns\) or fractional_average_pool2d: rows or columns are not
// A sequence of floating numbers.
#include <xgrad/ops/pooling/fractional_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 6, 3>;
constexpr auto rows = xg::input<"rows", std::int32_t, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::fractional_average_pool2d(x, rows, xg::input<"columns", float, 4>);
#else
constexpr auto y = xg::fractional_average_pool2d(x, rows, xg::input<"columns", std::int32_t, 4>);
#endif
