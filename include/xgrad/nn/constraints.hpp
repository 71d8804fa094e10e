// SPDX-License-Identifier: MIT
// Constraints on weights, as functions of them. After each update a variable becomes the result of the function on its
// new value.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/exponential.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {
template<class W>
inline constexpr bool may_have_norms = value_of<W>.wrong != fault::none || is_floating(value_of<W>.type);
/// The value of a constant. Of other expressions the value is not known, and they count as `otherwise`.
template<Expr E>
constexpr double number_or(double otherwise) {
    if (info_of<E>->op->kind != op_kind::constant) return otherwise;
    return info_of<E>->attrs.template as<constant_attributes>().value;
}
template<class Min, class Max>
constexpr bool are_bounds() {
    if constexpr (Expr<Min> && Expr<Max>) {
        constexpr double least = number_or<Min>(0);
        return least >= 0 && number_or<Max>(least) >= least;
    } else return true;
}
template<class Rate>
constexpr bool is_part_of_way() {
    if constexpr (Expr<Rate>) return number_or<Rate>(0) >= 0 && number_or<Rate>(1) <= 1;
    else return true;
}
template<int... Axes, Expr W>
constexpr auto norms_over(W const& w) {
    return norm<Axes...>(w, keep_dims);
}
template<Expr W, Expr Wanted, Expr Norms>
constexpr auto scale_to(W const& w, Wanted const& wanted, Norms const& norms) {
    using namespace literals;
    return w * (wanted / (1e-7_c + norms));
}
}   // namespace detail

namespace nn {

// The formulas, and the 1e-7 that keeps norms from 0, are those of Keras 3 (keras/src/constraints/constraints.py). A
// constraint is an assignment after the rule: `minimize(loss, adam{}, assign(w, nn::max_norm<0>(updated(w), 2_c)))`.
// All results have the shape and element type of w.

/// max(w, 0).
template<Expr W>
constexpr auto non_neg(W const& w) {
    using namespace literals;
    return maximum(w, 0_c);
}
/// w with norms of at most max_value over the axes: max_norm<0> of each column of a matrix, max_norm<1> of each row,
/// max_norm<> of all elements. w is float or double. max_value is a number of the graph, `2_c`, or an expression that
/// broadcasts to the norms. It must not be below 0.
template<int... Axes, Expr W, class Max>
constexpr auto max_norm(W const& w, Max const& max_value) {
    using namespace literals;
    static_assert(
        Expr<Max>, "xgrad::nn::max_norm<axes...>(w, max_value): max_value is missing or not an expression; write 2_c, or an input");
    static_assert(
        detail::may_have_norms<W>, "xgrad::nn::max_norm<axes...>(w, max_value): w is neither float nor double; write cast<float>(w)");
    constexpr bool bound = detail::are_bounds<literal<0>, Max>();
    static_assert(bound, "xgrad::nn::max_norm<axes...>(w, max_value): max_value is below 0, which no norm is; write a larger number");
    if constexpr (!detail::may_have_norms<W> || !Expr<Max> || !bound) return detail::refused{};
    else {
        auto const norms = detail::norms_over<Axes...>(w);
        return detail::scale_to(w, minimum(maximum(norms, 0_c), max_value), norms);
    }
}
template<int... Axes, Expr W>   // catches max_norm(w)
constexpr auto max_norm(W const& w) {
    return max_norm<Axes...>(w, nullptr);
}
/// w with norms of 1 over the axes, which are as for max_norm. Zeros stay zeros.
template<int... Axes, Expr W>
constexpr auto unit_norm(W const& w) {
    using namespace literals;
    static_assert(detail::may_have_norms<W>, "xgrad::nn::unit_norm<axes...>(w): w is neither float nor double; write cast<float>(w)");
    if constexpr (!detail::may_have_norms<W>) return detail::refused{};
    else return w / (1e-7_c + detail::norms_over<Axes...>(w));
}
/// w with norms over the axes moved towards [min_value, max_value], by the share `rate` of the distance. Axes and
/// numbers are as for max_norm. 0 ≤ min_value ≤ max_value and 0 ≤ rate ≤ 1 must hold. The compiler checks constants;
/// inputs are not checked.
template<int... Axes, Expr W, class Min, class Max, class Rate>
constexpr auto min_max_norm(W const& w, Min const& min_value, Max const& max_value, Rate const& rate) {
    using namespace literals;
    constexpr bool numbers = Expr<Min> && Expr<Max> && Expr<Rate>;
    static_assert(numbers,
        "xgrad::nn::min_max_norm<axes...>(w, min_value, max_value, rate): one of the three bounds is not an expression; write "
        "1_c, or an input");
    static_assert(detail::may_have_norms<W>,
        "xgrad::nn::min_max_norm<axes...>(w, min_value, max_value, rate): w is neither float nor double; write cast<float>(w)");
    constexpr bool bounds = detail::are_bounds<Min, Max>(), rate_fits = detail::is_part_of_way<Rate>();
    static_assert(bounds,
        "xgrad::nn::min_max_norm<axes...>(w, min_value, max_value, rate): min_value is below 0 or above max_value; write 0 <= "
        "min_value <= max_value");
    static_assert(rate_fits,
        "xgrad::nn::min_max_norm<axes...>(w, min_value, max_value, rate): rate is outside of [0, 1]; write a number such as 1_c");
    if constexpr (!detail::may_have_norms<W> || !numbers || !bounds || !rate_fits) return detail::refused{};
    else {
        auto const norms = detail::norms_over<Axes...>(w);
        return detail::scale_to(w, rate * minimum(maximum(norms, min_value), max_value) + (1_c - rate) * norms, norms);
    }
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
