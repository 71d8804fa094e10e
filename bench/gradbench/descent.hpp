// SPDX-License-Identifier: MIT
// Gradient descent of two numbers or one as a loop of xgrad, with the steps of the suite's multivariate_argmin.
#pragma once
#include <xgrad/all.hpp>

#include <tuple>

namespace gradbench {

namespace xg = xgrad;
using namespace xg::literals;

/// The two ways to take a derivative. The rows' names have a letter for the outer one, then one for the inner one.
enum class mode { forward, reverse };

/// The derivatives of a number y by the numbers x..., as a tuple.
template<mode M, class Y, class... X>
constexpr auto slopes(Y y, X... x) {
    if constexpr (M == mode::reverse) return xg::gradients(y, xg::unconnected_zeros, x...);
    else return std::tuple{xg::jvp(y, x, xg::constant<double, 1>)...};
}
constexpr auto squares(auto... x) { return (xg::square(x) + ...); }

/// The rate of the next step: it doubles after ten accepted steps.
constexpr auto rate_now(auto eta, auto count) { return xg::select(xg::greater(count, 9.5_c), 2_c * eta, eta); }
/// The rate and the number of accepted steps since it changed, after a step: a refused one halves the rate.
constexpr auto next_rate(auto good, auto eta, auto count) {
    auto const used = rate_now(eta, count);
    auto const before = xg::select(xg::greater(count, 9.5_c), 0_c, count);
    return std::tuple{xg::stop_gradient(xg::select(good, used, used * 0.5_c)), xg::stop_gradient(xg::select(good, before + 1_c, 0_c))};
}
/// Whether the descent continues from x along g: neither the slope nor the step is small.
template<class... G, class... X>
constexpr auto goes_on(auto eta, auto count, std::tuple<G...> g, std::tuple<X...> x) {
    auto const step = [&](auto at, auto slope) { return at - (at - rate_now(eta, count) * slope); };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto const length = xg::sqrt(squares(step(std::get<I>(x), std::get<I>(g))...));
        return xg::greater(xg::minimum(xg::sqrt(squares(std::get<I>(g)...)), length), 1e-5_c);
    }(std::index_sequence_for<X...>{});
}
}   // namespace gradbench
