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

/// Whether the descent goes on from x along g: neither the slope nor the step is small.
template<class Eta, class... G, class... X>
constexpr auto goes_on(Eta eta, std::tuple<G...> g, std::tuple<X...> x) {
    auto const step = [&](auto at, auto slope) { return at - (at - eta * slope); };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return xg::logical_and(xg::greater(xg::sqrt(squares(std::get<I>(g)...)), 1e-5_c),
            xg::greater(xg::sqrt(squares(step(std::get<I>(x), std::get<I>(g))...)), 1e-5_c));
    }(std::index_sequence_for<X...>{});
}
/// The number after an accepted or a refused step, and the rate: the rate doubles after ten accepted steps, and halves after a refused one.
template<class Good, class Eta, class Count>
constexpr auto next_rate(Good good, Eta eta, Count count) {
    auto const tenth = xg::logical_and(good, xg::greater(count, 8.5_c));
    return std::tuple{xg::select(good, xg::select(tenth, 2_c * eta, eta), eta / 2_c),
        xg::select(good, xg::select(tenth, 0_c * count, count + 1_c), 0_c * count)};
}
}   // namespace gradbench
