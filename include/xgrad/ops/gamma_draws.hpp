// SPDX-License-Identifier: MIT
// Random numbers of the gamma, beta and Dirichlet distributions, with gradients of their parameters.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/distributions.hpp>
#include <xgrad/ops/special.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The inverse of the gamma distribution in its second argument, and its slope in the first.
struct gamma_inverse {
    /// x with P(a, x) = p, by Halley's steps from the estimates of Press and others, Numerical Recipes, 3rd edition, 6.2.1.
    static double quantile(double a, double p) {
        if (!(a > 0) || !(p >= 0) || !(p <= 1)) return incomplete::nan;
        if (p == 0) return 0;
        if (p == 1) return incomplete::inf;
        double x;
        if (a > 1) {
            double const tail = p < 0.5 ? p : 1 - p, t = __builtin_sqrt(-2 * __builtin_log(tail));
            double z = (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t;
            if (p < 0.5) z = -z;
            double const root = 1 - 1 / (9 * a) - z / (3 * __builtin_sqrt(a));
            x = root > 0.1 ? a * root * root * root : a * 1e-3;
        } else {
            double const t = 1 - a * (0.253 + a * 0.12);
            x = p < t ? __builtin_exp((__builtin_log(p) + __builtin_lgamma(a + 1)) / a) : 1 - __builtin_log(1 - (p - t) / (1 - t));
        }
        for (int step = 0; step < 16 && x > 0; ++step) {
            // Where P is near 1, its complement has the digits.
            bool const upper = p > 0.5;
            double const wrong = upper ? (1 - p) - incomplete::upper_gamma(a, x) : incomplete::lower_gamma(a, x) - p;
            double const u = wrong / density(a, x), bend = u * ((a - 1) / x - 1);
            double const change = u / (1 - 0.5 * (bend < 1 ? bend : 1));
            double const next = x - change;
            x = next > 0 ? next : 0.5 * x;
            if (__builtin_fabs(change) < 1e-14 * x) break;
        }
        return x;
    }
    static double density(double a, double x) { return __builtin_exp((a - 1) * __builtin_log(x) - x - __builtin_lgamma(a)); }
    /// dx/da at fixed P(a, x): −∂P/∂a / density. ∂P/∂a by differences of order 4, of P or its complement, the smaller one.
    static double slope(double a, double x) {
        if (!(a > 0) || !(x >= 0)) return incomplete::nan;
        if (x == 0) return 0;
        double const h = 1e-3 * a;
        bool const upper = x > a;
        auto const f = [&](double k) { return upper ? -incomplete::upper_gamma(a + k * h, x) : incomplete::lower_gamma(a + k * h, x); };
        return -((f(-2) - f(2)) + 8 * (f(1) - f(-1))) / (12 * h) / density(a, x);
    }
};
struct gamma_slope : floating_function {
    static constexpr std::string_view name = "gamma_slope";
    static constexpr int flops = 2000;
    XGRAD_INLINE static auto value(auto a, auto x) { return in_double(gamma_inverse::slope, a, x); }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol) { return {{{}, {}}}; }
};
struct gamma_quantile : floating_function {
    static constexpr std::string_view name = "gamma_quantile";
    static constexpr int flops = 3000;
    XGRAD_INLINE static auto value(auto a, auto p) { return in_double(gamma_inverse::quantile, a, p); }
    static constexpr symbols derivative(symbol a, symbol, symbol x, symbol g) { return {{g * xgrad::apply<gamma_slope>(a, x), {}}}; }
};
}

/// Numbers of the gamma distribution of shape `alpha` and rate 1, element by element: the inverse of the distribution at a
/// uniform number of 53 bits. NaN where alpha is not positive. For a rate divide by it.
/// Gradient: of alpha, g dz/dα at the same uniform number (Figurnov, Mohamed, Mnih 2018, arXiv 1805.08498), which has no gradient.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto gamma_like(A const& alpha, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else {
        auto const a = cast<double>(alpha);
        return cast<cpp_type_t<value_of<A>.type>>(apply<op::gamma_quantile>(a, detail::inner_uniform<Name>(a, shared...)));
    }
}
/// Numbers of the beta distribution, of two gamma numbers: x / (x + y). a and b have the same shape; the streams are `Name/a` and
/// `Name/b`. It is NaN where both gamma numbers are 0, which happens for parameters below 0.01.
/// Gradient: those of the gamma numbers.
template<fixed_string Name, class A, class B, std::same_as<nn::shared_tag>... Shared>
constexpr auto beta_like(A const& a, B const& b, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else if constexpr (!detail::draws_like<Name, B>()) return detail::refuse_draw<B>();
    else {
        auto const x = gamma_like<detail::name_of_part<Name, "/a">>(a, shared...);
        return x / (x + gamma_like<detail::name_of_part<Name, "/b">>(b, shared...));
    }
}
/// Numbers of the Dirichlet distribution over the last axis: gamma numbers, divided by their sum.
/// Gradient: those of the gamma numbers.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto dirichlet_like(A const& alpha, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else {
        static_assert(
            value_of<A>.dims.rank > 0, "xgrad::dirichlet_like<\"name\">(alpha): alpha has no axis; write beta_like<\"name\">(a, b)");
        if constexpr (value_of<A>.dims.rank == 0) return detail::refused{};
        else {
            auto const x = gamma_like<Name>(alpha, shared...);
            return x / sum<-1>(x, keep_dims);
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
