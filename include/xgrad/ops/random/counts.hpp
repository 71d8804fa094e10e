// SPDX-License-Identifier: MIT
// Random counts: the Poisson and the binomial distribution.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/random/distributions.hpp>
#include <xgrad/ops/special/special.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The least k at which a distribution of counts reaches the uniform number u.
struct count_inverse {
    /// From k with F(k) = below and the probability p of k. `up` is p(k + 1) / p(k).
    template<class F>
    static double search(double k, double below, double p, double u, double last, F const& up) {
        if (below >= u) {
            while (k > 0 && below - p >= u) {
                below -= p;
                --k;
                p /= up(k);
            }
        } else {
            while (k < last && below < u) {
                p *= up(k);
                ++k;
                if (below + p == below && p < incomplete::epsilon * below) break;   // u is beyond the digits of the sum
                below += p;
            }
        }
        return k;
    }
    /// A guess by the normal distribution and its skewness.
    static double guess(double mean, double deviation, double skew, double u) {
        double const z = normal_quantile(u), k = __builtin_floor(mean + deviation * (z + skew * (z * z - 1) / 6));
        return k > 0 ? k : 0;
    }
    /// To four digits: Abramowitz and Stegun 26.2.23.
    static double normal_quantile(double u) {
        double const tail = u < 0.5 ? u : 1 - u, t = __builtin_sqrt(-2 * __builtin_log(tail > 0 ? tail : 1e-300));
        double const z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
        return u < 0.5 ? -z : z;
    }
    static double poisson(double rate, double u) {
        if (!(rate >= 0) || rate == incomplete::inf || !(u >= 0)) return incomplete::nan;
        auto const up = [&](double k) { return rate / (k + 1); };
        if (rate < 16) {
            double const p = __builtin_exp(-rate);
            return search(0, p, p, u, incomplete::inf, up);
        }
        double const k = guess(rate, __builtin_sqrt(rate), 1 / __builtin_sqrt(rate), u);
        if (rate > 1e7) return k;   // the guess is as good as the digits of the distribution
        double const p = __builtin_exp(k * __builtin_log(rate) - rate - __builtin_lgamma(k + 1));
        return search(k, incomplete::upper_gamma(k + 1, rate), p, u, incomplete::inf, up);
    }
    static double binomial(double n, double p, double u) {
        if (!(n >= 0) || n == incomplete::inf || !(p >= 0 && p <= 1) || !(u >= 0)) return incomplete::nan;
        n = __builtin_floor(n);
        if (p > 0.5) return n - binomial(n, 1 - p, 1 - u);
        if (p == 0 || n == 0) return 0;
        double const odds = p / (1 - p), mean = n * p, deviation = __builtin_sqrt(mean * (1 - p));
        auto const up = [&](double k) { return (n - k) / (k + 1) * odds; };
        if (mean < 16) {
            double const first = __builtin_exp(n * __builtin_log1p(-p));
            return search(0, first, first, u, n, up);
        }
        double k = guess(mean, deviation, (1 - 2 * p) / deviation, u);
        if (k >= n) k = n - 1;
        if (mean > 1e7) return k;
        double const at = __builtin_exp(__builtin_lgamma(n + 1) - __builtin_lgamma(k + 1) - __builtin_lgamma(n - k + 1) +
                                        k * __builtin_log(p) + (n - k) * __builtin_log1p(-p));
        return search(k, incomplete::beta(n - k, k + 1, 1 - p), at, u, n, up);
    }
};
struct poisson_quantile : floating_function {
    static constexpr std::string_view name = "poisson_quantile";
    static constexpr int flops = 1000;
    XGRAD_INLINE static auto value(auto rate, auto u) { return in_double(count_inverse::poisson, rate, u); }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol) { return {{{}, {}}}; }
};
struct binomial_quantile : floating_function {
    static constexpr std::string_view name = "binomial_quantile";
    static constexpr int flops = 1000;
    XGRAD_INLINE static auto value(auto n, auto p, auto u) { return in_double(count_inverse::binomial, n, p, u); }
    static constexpr symbols derivative(symbol, symbol, symbol, symbol, symbol) { return {{{}, {}, {}}}; }
};
}

/// Numbers of the Poisson distribution with the means `rate`, in the element type of rate (TensorFlow's random_poisson): the inverse of
/// the distribution at a uniform number of 53 bits. 0 where the rate is 0; NaN where it is negative, infinite or NaN. For rates above
/// 10⁷ it is a rounded normal number with the right skewness.
/// Gradient: none.
template<fixed_string Name, class A, std::same_as<nn::shared_tag>... Shared>
constexpr auto poisson_like(A const& rate, Shared... shared) {
    if constexpr (!detail::draws_like<Name, A>()) return detail::refuse_draw<A>();
    else {
        auto const r = cast<double>(rate);
        return cast<cpp_type_t<value_of<A>.type>>(apply<op::poisson_quantile>(r, detail::inner_uniform<Name>(r, shared...)));
    }
}
/// Numbers of the binomial distribution: the successes of n trials that each have the chance p of success. Shape and element type are
/// those of the chances. The trials repeat to that shape and have that type, or are a number such as 10_c. Their fraction is dropped. The
/// result is NaN where the trials are negative or infinite, or the chance is outside of 0 ... 1. It is the inverse of the distribution at
/// a uniform number of 53 bits.
/// Gradient: none.
template<fixed_string Name, class N, class P, std::same_as<nn::shared_tag>... Shared>
constexpr auto binomial_like(N const& n, P const& p, Shared... shared) {
    if constexpr (!detail::draws_like<Name, P>()) return detail::refuse_draw<P>();
    else if constexpr (!Expr<N>) return detail::refuse_operand<N>();
    else {
        constexpr bool repeats = [] {
            shape s = value_of<P>.dims;
            return value_of<N>.wrong != fault::none || (broadcast_into(s, value_of<N>.dims) && s == value_of<P>.dims);
        }();
        static_assert(repeats, "xgrad::binomial_like<\"name\">(n, p): n does not repeat to the shape of p; write broadcast_to<...>(p)");
        if constexpr (!repeats || value_of<N>.wrong != fault::none) return detail::refused{};
        else {
            auto const q = cast<double>(p);
            auto const draws = apply<op::binomial_quantile>(
                detail::repeated_to<value_of<P>.dims>(cast<double>(n)), q, detail::inner_uniform<Name>(q, shared...));
            return cast<cpp_type_t<value_of<P>.type>>(draws);
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
