// SPDX-License-Identifier: MIT
// Jacobians and Hessians of each example, against JAX's vmap of jacrev and hessian.
#include "derivatives.hpp"

#include <support/tested_types.hpp>

#include <xgrad/grad/per_example_jacobian.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace derivatives;
inline constexpr xg::dim batch{"batch"};
}

TEST_CASE_TEMPLATE("Jacobians of each example of a net, by rows and by columns", T, XGRAD_TESTED_TYPES) {
    using n = net<T>;
    constexpr auto hidden = xg::tanh(xg::matmul(n::x, n::w) + n::b);
    constexpr auto of_y = xg::per_example_jacobians(n::y, n::x, hidden);   // 2 rows
    constexpr auto of_hidden = xg::per_example_jacobians(hidden, n::x);    // 4 columns
    static_assert(xg::value_of<decltype(std::get<0>(of_y))>.dims == xg::make_shape<3, 2, 4>());
    static_assert(xg::value_of<decltype(std::get<1>(of_y))>.dims == xg::make_shape<3, 2, 5>());
    static_assert(xg::value_of<decltype(of_hidden)>.dims == xg::make_shape<3, 5, 4>());
    xg::function f{xg::outputs(
        std::get<0>(of_y), std::get<1>(of_y), of_hidden, xg::sum(n::tx) + xg::sum(n::tw) + xg::sum(n::tb) + xg::sum(n::seed) + n::loss)};
    auto const [by_x, by_hidden, columns, rest] = call_net<T>(f);
    check_jax("rows jacobian_x", by_x, tolerance<T>);
    check_jax("rows jacobian_hidden", by_hidden, tolerance<T>);
    check_jax("rows jacobian_of_hidden", columns, tolerance<T>);
}
TEST_CASE_TEMPLATE("Hessians of each example of a net, and their gradient", T, XGRAD_TESTED_TYPES) {
    using n = net<T>;
    constexpr auto losses = xg::sparse_softmax_cross_entropy(n::y, n::label);
    constexpr auto hessians = xg::per_example_hessians(losses, n::x);
    static_assert(xg::value_of<decltype(hessians)>.dims == xg::make_shape<3, 4, 4>());
    xg::function f{xg::outputs(hessians, xg::gradient_of(xg::sum(xg::square(hessians)), n::w),
        xg::sum(n::tx) + xg::sum(n::tw) + xg::sum(n::tb) + xg::sum(n::seed) + n::loss)};
    auto const [of_x, slope, rest] = call_net<T>(f);
    check_jax("rows hessian_x", of_x, tolerance<T>);
    check_jax("rows slope_of_hessians", slope, 3 * tolerance<T>);
}
