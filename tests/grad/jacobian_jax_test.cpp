// SPDX-License-Identifier: MIT
// Jacobians of a net, by rows and by columns, and derivatives of a lookup, against JAX.
#include "derivatives.hpp"

#include <support/tested_types.hpp>

namespace {
namespace xg = xgrad;
using namespace derivatives;
}

TEST_CASE_TEMPLATE("Jacobians of a net, by rows and by columns", T, XGRAD_TESTED_TYPES) {
    using n = net<T>;
    constexpr auto all = xg::jacobian(n::y, n::x, n::w, n::b);   // 6 rows, and 5 columns for b
    static_assert(xg::value_of<decltype(std::get<1>(all))>.dims == xg::make_shape<3, 2, 4, 5>());
    xg::function f{xg::outputs(std::get<0>(all), std::get<1>(all), std::get<2>(all),
        xg::sum(n::tx) + xg::sum(n::tw) + xg::sum(n::tb) + xg::sum(n::seed) + n::loss)};
    auto const [of_x, of_w, of_b, rest] = call_net<T>(f);
    check_jax("net jacobian_x", of_x, tolerance<T>);
    check_jax("net jacobian_w", of_w, tolerance<T>);
    check_jax("net jacobian_b", of_b, tolerance<T>);
}
TEST_CASE("a table that is only read by index has dense derivatives") {
    using T = double;
    constexpr auto table = xg::input<"table", T, 5, 2>;
    constexpr auto t = xg::input<"t", T, 5, 2>;
    constexpr auto id = xg::input<"id", std::int32_t, 3>;
    constexpr auto y = xg::tanh(xg::gather(table, id));
    static_assert(xg::Expr<decltype(xg::vjp(y, table, y))>);
    xg::function f{xg::outputs(xg::jvp(y, table, t), xg::jacobian(y, table), xg::hvp(xg::sum(y), table, t))};
    auto const [jvp, jacobian, hvp] =
        f(table = numbers<T>(15, {5, 2}), t = numbers<T>(16, {5, 2}), id = test::list<std::int32_t>({4, 1, 4}));
    check_jax("table jvp", jvp, tolerance<T>);
    check_jax("table jacobian", jacobian, tolerance<T>);
    check_jax("table hvp", hvp, tolerance<T>);
}
