// SPDX-License-Identifier: MIT
// Products of vectors with the Jacobian, the Hessian and the Gauss-Newton matrix of a net, against JAX.
#include "derivatives.hpp"

#include <support/tested_types.hpp>

namespace {
namespace xg = xgrad;
using namespace derivatives;
}

TEST_CASE_TEMPLATE("products with the Jacobian of a net", T, XGRAD_TESTED_TYPES) {
    using n = net<T>;
    xg::function f{xg::outputs(n::y, xg::vjp(n::y, n::w, n::seed), xg::jvp(n::y, n::w, n::tw),
        xg::jvp(n::y, std::tuple(n::x, n::w, n::b), std::tuple(n::tx, n::tw, n::tb)), xg::mean(n::loss))};
    auto const [y, vjp_w, jvp_w, jvp_all, loss] = call_net<T>(f);
    check_jax("net y", y, tolerance<T>);
    check_jax("net vjp_w", vjp_w, tolerance<T>);
    check_jax("net jvp_w", jvp_w, tolerance<T>);
    check_jax("net jvp_all", jvp_all, tolerance<T>);
}
TEST_CASE_TEMPLATE("products with the Hessian and the Gauss-Newton matrix of a net", T, XGRAD_TESTED_TYPES) {
    using n = net<T>;
    constexpr auto both = xg::hvp(n::loss, std::tuple(n::w, n::b), std::tuple(n::tw, n::tb));
    xg::function f{xg::outputs(xg::hvp(n::loss, n::w, n::tw), std::get<0>(both), std::get<1>(both), xg::gauss_newton_vp(n::y, n::w, n::tw),
        xg::gauss_newton_vp(n::loss, n::y, n::w, n::tw), xg::sum(n::tx) + xg::sum(n::seed))};
    auto const [hvp_w, both_w, both_b, gauss_newton, with_loss, rest] = call_net<T>(f);
    check_jax("net hvp_w", hvp_w, tolerance<T>);
    check_jax("net hvp_w_of_both", both_w, tolerance<T>);
    check_jax("net hvp_b_of_both", both_b, tolerance<T>);
    check_jax("net gauss_newton_w", gauss_newton, tolerance<T>);
    check_jax("net gauss_newton_loss_w", with_loss, tolerance<T>);
}