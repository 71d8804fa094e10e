// SPDX-License-Identifier: MIT
// Functions of one operand and what they are in long double, for the tests of slopes.
#pragma once

#include <support/tensor.hpp>

#include <cmath>

namespace elementwise {
using namespace xgrad::literals;
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};

using real = long double;
template<class F>
real slope(F const& f, real x) {   // finite difference in long double
    real const h = 1e-5L * std::max(1.0L, std::abs(x));
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

struct reference {
    char const* name;
    real (*f)(real);
};
struct unary {   // x in (-3, 3), p in (0.1, 5)
    static constexpr auto x = xg::input<"x", double, batch>;
    static constexpr auto p = xg::input<"p", double, batch>;
    static constexpr auto first = std::tuple(xg::exp(x), xg::expm1(x), xg::sin(x), xg::cos(x), xg::tanh(x), xg::sigmoid(x), xg::softplus(x),
        xg::square(x), xg::relu(x), xg::abs(x), -x, xg::erf(x));
    static constexpr auto second = std::tuple(xg::log(p), xg::log1p(p), xg::sqrt(p), xg::log_or_zero(p));
    static constexpr reference first_expected[]{{"exp", [](real v) { return std::exp(v); }},
        {"expm1", [](real v) { return std::expm1(v); }}, {"sin", [](real v) { return std::sin(v); }},
        {"cos", [](real v) { return std::cos(v); }}, {"tanh", [](real v) { return std::tanh(v); }},
        {"sigmoid", [](real v) { return 1 / (1 + std::exp(-v)); }}, {"softplus", [](real v) { return std::log1p(std::exp(v)); }},
        {"square", [](real v) { return v * v; }}, {"relu", [](real v) { return v < 0 ? 0 : v; }},
        {"abs", [](real v) { return std::abs(v); }}, {"neg", [](real v) { return -v; }}, {"erf", [](real v) { return std::erf(v); }}};
    static constexpr reference second_expected[]{{"log", [](real v) { return std::log(v); }},
        {"log1p", [](real v) { return std::log1p(v); }}, {"sqrt", [](real v) { return std::sqrt(v); }},
        {"log_or_zero", [](real v) { return v > 0 ? std::log(v) : 0; }}};
    template<class... E>
    static constexpr auto slopes(std::tuple<E...>, auto const& wrt) {
        return std::tuple(xg::gradient_of(E{}, std::remove_cvref_t<decltype(wrt)>{})...);
    }
};
template<class R, class F>
void each(R const& results, F const& f) {
    std::size_t k = 0;
    std::apply([&](auto const&... r) { (f(k++, r), ...); }, results);
}
template<class... E>
constexpr auto outputs_of(std::tuple<E...> const&) {
    return xg::outputs(E{}...);
}

}   // namespace elementwise
