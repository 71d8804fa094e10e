// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_variable\(gradient, v\): the gradient has another shape or element type than v
// Slices of one table for another one, whose rows are longer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 7>;
constexpr auto table = xg::variable<"table", float, 10, 4>;
constexpr auto wider = xg::variable<"wider", float, 10, 5>;
constexpr auto loss = xg::sum(xg::square(xg::gather(table, ids))) + xg::sum(wider);
constexpr auto slices = xg::gradient_of(loss, table);
#ifdef XGRAD_EXPECT_ERROR
auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(slices, wider));
#else
auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(slices, table));
#endif
