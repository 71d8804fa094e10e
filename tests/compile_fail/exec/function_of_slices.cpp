// SPDX-License-Identifier: MIT
// expect-error: xgrad::function\{y, owner\}: y is the gradient of a table
// The gradient of a table is rows and ids, not one expression.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto table = xg::variable<"table", float, 6, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, 4>;
constexpr auto loss = xg::sum(xg::square(xg::gather(table, ids)));
constexpr auto slope = xg::gradient_of(loss, table);

#ifdef XGRAD_EXPECT_ERROR
auto const listed = xg::outputs(loss, slope);
#else
auto const listed = xg::outputs(loss, slope.dense);
#endif
