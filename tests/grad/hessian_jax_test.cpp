// SPDX-License-Identifier: MIT
// Hessians of a net and of a softmax, against JAX.
#include "derivatives.hpp"

namespace {
namespace xg = xgrad;
using namespace derivatives;
}

TEST_CASE("Hessians of a net") {
    using T = double;
    using n = net<T>;
    constexpr auto all = xg::hessian(n::loss, n::w, n::b);
    static_assert(xg::value_of<decltype(std::get<0>(all))>.dims == xg::make_shape<4, 5, 4, 5>());
    xg::function f{xg::outputs(std::get<0>(all), std::get<1>(all), xg::sum(n::tx) + xg::sum(n::tw) + xg::sum(n::tb) + xg::sum(n::seed))};
    auto const [of_w, of_b, rest] = call_net<T>(f);
    check_jax("net hessian_w", of_w, tolerance<T>);
    check_jax("net hessian_b", of_b, tolerance<T>);
}
TEST_CASE("second derivatives of a softmax, a derivative along two directions") {
    using T = double;
    constexpr auto x = xg::input<"x", T, 6>;
    constexpr auto v = xg::input<"v", T, 6>;
    constexpr auto t = xg::input<"t", T, 6>;
    constexpr auto y = xg::sum(xg::softmax<0>(x) * x);
    xg::function f{xg::outputs(xg::hessian(y, x), xg::hvp(y, x, v), xg::jvp(xg::jvp(y, x, v), x, t))};
    auto const [hessian, hvp, second] = f(x = numbers<T>(8, {6}), v = numbers<T>(9, {6}), t = numbers<T>(10, {6}));
    check_jax("softmax hessian", hessian, tolerance<T>);
    check_jax("softmax hvp", hvp, tolerance<T>);
    CHECK(static_cast<double>(second) == doctest::Approx(derivatives::of_jax("softmax jvp_of_jvp")[0]).epsilon(tolerance<T>));
}