// SPDX-License-Identifier: MIT
// The gamma and beta functions: logarithms, derivatives, incomplete ones. The zeta function.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/special/elementary.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// f in double, of numbers or of each lane.
template<class F, class V, class... W>
XGRAD_INLINE V in_double(F const& f, V const& x, W const&... others) {
    if constexpr (math::Scalar<V>) return static_cast<V>(f(static_cast<double>(x), static_cast<double>(others)...));
    else return each_lane([&](auto const&... a) { return in_double(f, a...); }, x, others...);
}

/// The incomplete functions by the series and continued fractions of TensorFlow and Cephes.
struct incomplete {
    static constexpr double epsilon = 2.220446049250313e-16, inf = std::numeric_limits<double>::infinity();
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

    /// x^a e^-x / Γ(a)
    static double power(double a, double x) { return __builtin_exp(a * __builtin_log(x) - x - __builtin_lgamma(a)); }
    static double lower_series(double a, double x) {
        double term = 1, sum = 1;
        for (double r = a + 1; term > epsilon * sum; ++r) {
            term *= x / r;
            sum += term;
        }
        return sum * power(a, x) / a;
    }
    static double upper_fraction(double a, double x) {
        double y = 1 - a, z = x + y + 1, p2 = 1, q2 = x, p1 = x + 1, q1 = z * x, r = p1 / q1;
        for (int n = 1; n < 2000; ++n) {
            ++y;
            z += 2;
            double const p = p1 * z - p2 * y * n, q = q1 * z - q2 * y * n;
            double const before = r;
            if (q != 0) r = p / q;
            p2 = p1, p1 = p, q2 = q1, q1 = q;
            if (q != 0 && __builtin_fabs(before - r) <= epsilon * __builtin_fabs(r)) break;
            if (__builtin_fabs(p) > 1 / epsilon) p2 *= epsilon, p1 *= epsilon, q2 *= epsilon, q1 *= epsilon;
        }
        return r * power(a, x);
    }
    static double lower_gamma(double a, double x) {
        if (!(x >= 0 && a >= 0) || (a == 0 && x == 0) || (a == inf && x == inf)) return nan;
        if (x == 0 || a == inf) return 0;
        if (x == inf || a == 0) return 1;
        return x > 1 && x > a ? 1 - upper_fraction(a, x) : lower_series(a, x);
    }
    static double upper_gamma(double a, double x) {
        if (!(x >= 0 && a >= 0) || (a == 0 && x == 0) || (a == inf && x == inf)) return nan;
        if (x == 0 || a == inf) return 1;
        if (x == inf || a == 0) return 0;
        return x < 1 || x < a ? 1 - lower_series(a, x) : upper_fraction(a, x);
    }
    /// The slope in a of the lower series.
    static double slope_of_series(double a, double x, double digamma) {
        double term = 1, sum = 1, slope = 0, of_term = 0;   // of_term: the slope of the logarithm of the term
        for (double r = a + 1; r < a + 100000; ++r) {
            term *= x / r;
            of_term -= 1 / r;
            sum += term;
            slope += term * of_term;
            if (term * -of_term <= epsilon * -slope && term <= epsilon * sum) break;
        }
        return power(a, x) / a * (slope + sum * (__builtin_log(x) - digamma - 1 / a));
    }
    /// The slope in a of the upper fraction.
    static double slope_of_fraction(double a, double x, double digamma) {
        double y = 1 - a, z = x + y + 1, p2 = 1, q2 = x, p1 = x + 1, q1 = z * x, r = p1 / q1;
        double dp2 = 0, dq2 = 0, dp1 = 0, dq1 = -x, slope = -r * dq1 / q1;
        for (int n = 1; n < 2000; ++n) {
            ++y;
            z += 2;
            double const p = p1 * z - p2 * y * n, q = q1 * z - q2 * y * n;
            double const dp = dp1 * z - p1 - dp2 * y * n + p2 * n, dq = dq1 * z - q1 - dq2 * y * n + q2 * n;
            double const before = slope;
            if (q != 0) {
                r = p / q;
                slope = (dp - r * dq) / q;
            }
            p2 = p1, p1 = p, q2 = q1, q1 = q, dp2 = dp1, dp1 = dp, dq2 = dq1, dq1 = dq;
            if (q != 0 && __builtin_fabs(before - slope) <= epsilon * __builtin_fabs(slope)) break;
            if (__builtin_fabs(p) > 1 / epsilon)
                for (double* const e : {&p2, &p1, &q2, &q1, &dp2, &dp1, &dq2, &dq1}) *e *= epsilon;
        }
        return power(a, x) * (slope + r * (__builtin_log(x) - digamma));
    }
    /// The slope of lower_gamma in a, where TensorFlow has igamma_grad_a.
    static double slope_of_lower_gamma(double a, double x, double digamma) {
        if (!(x >= 0 && a > 0) || a == inf) return nan;
        if (x == 0 || x == inf) return 0;
        return x > 1 && x > a ? -slope_of_fraction(a, x, digamma) : slope_of_series(a, x, digamma);
    }
    /// By Lentz's algorithm, DLMF 8.17.22.
    static double beta_fraction(double a, double b, double x) {
        constexpr double least = 1e-300;
        double c = 1, d = 1 - (a + b) * x / (a + 1);
        d = 1 / (d == 0 ? least : d);
        double r = d;
        for (int m = 1; m < 2000; ++m) {
            double const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            double const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            double factor = 1;
            for (double const t : {even, odd}) {
                d = 1 + t * d;
                c = 1 + t / c;
                if (c == 0) c = least;
                d = 1 / (d == 0 ? least : d);
                factor = c * d;
                r *= factor;
            }
            if (__builtin_fabs(factor - 1) <= epsilon) break;
        }
        return r;
    }
    static double beta(double a, double b, double x) {
        if (!(a > 0 && b > 0 && x >= 0 && x <= 1) || (a == inf && b == inf)) return nan;
        if (x == 0 || x == 1) return x;
        if (a == inf) return 0;
        if (b == inf) return 1;
        double const factor = __builtin_exp(
            a * __builtin_log(x) + b * __builtin_log1p(-x) + __builtin_lgamma(a + b) - __builtin_lgamma(a) - __builtin_lgamma(b));
        if (x < (a + 1) / (a + b + 2)) return factor * beta_fraction(a, b, x) / a;
        return 1 - factor * beta_fraction(b, a, 1 - x) / b;
    }
};

/// By the recurrence up to 10, then the asymptotic series; negative numbers by reflection.
template<class V>
XGRAD_INLINE V digamma_of(V const& x) {
    using T = math::scalar_of<V>;
    constexpr T terms[] = {T(8.33333333333333333333e-2), T(-8.33333333333333333333e-3), T(3.96825396825396825397e-3),
        T(-4.16666666666666666667e-3), T(7.57575757575757575758e-3), T(-2.10927960927960927961e-2), T(8.33333333333333333333e-2)};
    V const one(1), reflected = math::less_equal(x, V(0));
    V z = math::where(reflected, one - x, x), sum(0);
    for (int k = 0; k < 10; ++k) {
        V const step = math::less(z, V(10));
        sum = sum + step / z;
        z = z + step;
    }
    V const inverse = one / (z * z);
    V series(terms[6]);
    for (int k = 5; k >= 0; --k) series = math::fma(series, inverse, V(terms[k]));
    V const y = math::log(z) - V(T(0.5)) / z - inverse * series - sum;
    V const pi(static_cast<T>(3.14159265358979323846)), f = x - math::round(x), pole = math::equal(f, V(0));
    V const angle = pi * math::where(pole, V(T(0.5)), f);
    V const cotangent = math::where(pole, V(std::numeric_limits<T>::quiet_NaN()), pi * math::cos(angle) / math::sin(angle));
    return math::where(reflected, y - cotangent, y);
}
/// The sum of (q + k)^-s for k = 0, 1, ...: nine terms, then the Euler-Maclaurin formula.
template<class V>
XGRAD_INLINE V zeta_of(V const& s, V const& q) {
    using T = math::scalar_of<V>;
    // (2k)! / B(2k)
    constexpr T divisors[] = {T(12), T(-720), T(30240), T(-1209600), T(47900160), T(-1.8924375803183791606e9), T(7.47242496e10),
        T(-2.950130727918164224e12), T(1.1646782814350067249e14), T(-4.5979787224074726105e15), T(1.8152105401943546773e17),
        T(-7.1661652561756670113e18)};
    V const one(1), power = -s, inf(std::numeric_limits<T>::infinity());
    V sum(0), w = q;
    for (int k = 0; k < 9; ++k) {
        sum = sum + math::pow(w, power);
        w = w + one;
    }
    V const tail = math::pow(w, one - s), last = tail / w;   // tail, because the last term may underflow
    V const square = one / (w * w);
    V series(T(1) / divisors[11]);
    for (int k = 10; k >= 0; --k) {
        V const a = s + V(static_cast<T>(2 * k + 1));
        series = math::fma(a * (a + one) * square, series, V(T(1) / divisors[k]));
    }
    sum = sum + tail / (s - one) + V(T(0.5)) * last + last * s / w * series;
    V const bad = math::less(s, one) + math::less(q, V(0)) * math::not_equal(q, math::floor(q));
    V const pole = math::equal(s, one) + math::less_equal(q, V(0)) * math::equal(q, math::floor(q));
    V const r = math::where(pole, inf, math::where(math::equal(q, inf), V(0), sum));
    return math::where(bad, V(std::numeric_limits<T>::quiet_NaN()), r);
}

struct digamma : floating_function {
    static constexpr std::string_view name = "digamma";
    static constexpr int flops = 120;
    XGRAD_INLINE static auto value(auto x) { return digamma_of(x); }
    static constexpr symbol derivative(symbol x, symbol, symbol g);
};
struct lgamma : floating_function {
    static constexpr std::string_view name = "lgamma";
    static constexpr int flops = 60;
    XGRAD_INLINE static auto value(auto x) {
        using V = decltype(x);
        if constexpr (std::is_same_v<V, float>) return __builtin_lgammaf(x);
        else if constexpr (std::is_same_v<V, double>) return __builtin_lgamma(x);
        else return each_lane([](auto a) { return lgamma::value(a); }, x);
    }
    static constexpr symbol derivative(symbol x, symbol, symbol g) { return g * xgrad::apply<digamma>(x); }
};
struct zeta : floating_function {
    static constexpr std::string_view name = "zeta";
    static constexpr int flops = 300;
    XGRAD_INLINE static auto value(auto s, auto q) { return zeta_of(s, q); }
    static constexpr symbols derivative(symbol s, symbol q, symbol, symbol g);
};
struct polygamma : floating_function {
    static constexpr std::string_view name = "polygamma";
    static constexpr int flops = 400;
    XGRAD_INLINE static auto value(auto n, auto x) {
        using V = decltype(x);
        using T = math::scalar_of<V>;
        V const half = n * V(T(0.5)), even = math::equal(half, math::floor(half)), order = n + V(1);
        V const factorial = in_double([](double a) { return __builtin_tgamma(a); }, order);
        V const r = math::where(even, -factorial, factorial) * zeta_of(order, x);
        V const invalid = math::less(n, V(0)) + math::not_equal(n, math::floor(n));
        return math::where(invalid, V(std::numeric_limits<T>::quiet_NaN()), math::where(math::equal(n, V(0)), digamma_of(x), r));
    }
    static constexpr symbols derivative(symbol n, symbol x, symbol, symbol g);
};
struct igamma_slope : floating_function {
    static constexpr std::string_view name = "igamma_slope";
    static constexpr int flops = 800;
    XGRAD_INLINE static auto value(auto a, auto x) {
        return in_double([](double b, double z) { return incomplete::slope_of_lower_gamma(b, z, digamma_of(b)); }, a, x);
    }
    static constexpr symbols derivative(symbol a, symbol x, symbol, symbol g);
};
struct igamma : floating_function {
    static constexpr std::string_view name = "igamma";
    static constexpr int flops = 400;
    XGRAD_INLINE static auto value(auto a, auto x) { return in_double(incomplete::lower_gamma, a, x); }
    static constexpr symbols derivative(symbol a, symbol x, symbol, symbol g);
};
struct igammac : floating_function {
    static constexpr std::string_view name = "igammac";
    static constexpr int flops = 400;
    XGRAD_INLINE static auto value(auto a, auto x) { return in_double(incomplete::upper_gamma, a, x); }
    static constexpr symbols derivative(symbol a, symbol x, symbol, symbol g);
};
struct betainc : floating_function {
    static constexpr std::string_view name = "betainc";
    static constexpr int flops = 600;
    XGRAD_INLINE static auto value(auto a, auto b, auto x) { return in_double(incomplete::beta, a, b, x); }
    static constexpr symbols derivative(symbol a, symbol b, symbol x, symbol, symbol g);
};
}

/// log |Γ(x)|, by the C library: infinite at 0, at negative whole numbers and at ±inf.
inline constexpr elementwise<op::lgamma> lgamma{};
/// The derivative of lgamma. NaN at 0 and at negative whole numbers. Near its zeros the absolute error is that of
/// numbers of size 1.
inline constexpr elementwise<op::digamma> digamma{};
/// polygamma(n, x) is the derivative of order n of digamma: n = 0_c gives digamma, n = 1_c the trigamma function. n is a
/// whole number that is not negative, else NaN. For n > 0 it is inf at 0 and at negative whole numbers, up to the sign,
/// and NaN at other negative x, where TensorFlow has numbers. The gradient of n is none.
inline constexpr elementwise<op::polygamma> polygamma{};
/// zeta(s, q) is Hurwitz' zeta function, the sum of (q + k)^−s over whole numbers k from 0. It is inf for s = 1 and for q at 0 or at
/// negative whole numbers, NaN for s < 1 and for other negative q. The gradient of s is none.
inline constexpr elementwise<op::zeta> zeta{};
/// igamma(a, x) is the regularized lower incomplete gamma function P(a, x), the integral of t^(a − 1) e^−t from 0 to x,
/// divided by Γ(a). NaN for negative a or x. It is computed in double, element by element. The gradient of a is by the same
/// series; it has none of a itself, like TensorFlow's igamma_grad_a.
inline constexpr elementwise<op::igamma> igamma{};
/// igammac(a, x) is 1 − igamma(a, x), with a small relative error where it is near 0. Its gradients are those of igamma, negated.
inline constexpr elementwise<op::igammac> igammac{};
/// betainc(a, b, x) is the regularized incomplete beta function, the integral of t^(a − 1) (1 − t)^(b − 1) from 0 to x,
/// divided by B(a, b). NaN unless a and b are positive and x is in [0, 1]. It is computed in double, element by element. The
/// gradients of a and b are none.
inline constexpr elementwise<op::betainc> betainc{};

/// The logarithm of |B(x)| over the last axis, which is removed: the sum of lgamma(x) − lgamma of the sum of x
/// (TensorFlow's lbeta). Of an axis with two numbers it is the beta function of both. Of an empty axis it is −inf.
///
/// Gradient: digamma(x) − digamma of the sum of x, times g.
template<Operand A>
constexpr auto lbeta(A const& x) {
    return sum<-1>(lgamma(x)) - lgamma(sum<-1>(x));
}

namespace op {
constexpr symbol digamma::derivative(symbol x, symbol, symbol g) { return g * xgrad::polygamma(1_c, x); }
constexpr symbols zeta::derivative(symbol s, symbol q, symbol, symbol g) { return {{{}, -(g * s * xgrad::zeta(s + 1_c, q))}}; }
constexpr symbols polygamma::derivative(symbol n, symbol x, symbol, symbol g) { return {{{}, g * xgrad::polygamma(n + 1_c, x)}}; }
// The density of the gamma distribution.
constexpr symbol gamma_density(symbol a, symbol x) { return xgrad::exp(xgrad::xlogy(a - 1_c, x) - x - xgrad::lgamma(a)); }
constexpr symbols igamma::derivative(symbol a, symbol x, symbol, symbol g) {
    return {{g * xgrad::apply<igamma_slope>(a, x), g * gamma_density(a, x)}};
}
constexpr symbols igammac::derivative(symbol a, symbol x, symbol, symbol g) {
    return {{-(g * xgrad::apply<igamma_slope>(a, x)), -(g * gamma_density(a, x))}};
}
constexpr symbols igamma_slope::derivative(symbol a, symbol x, symbol, symbol g) {
    return {{{}, g * gamma_density(a, x) * (xgrad::log(x) - xgrad::digamma(a))}};
}
// The density of the beta distribution.
constexpr symbols betainc::derivative(symbol a, symbol b, symbol x, symbol, symbol g) {
    symbol const log_beta = xgrad::lgamma(a) + xgrad::lgamma(b) - xgrad::lgamma(a + b);
    return {{{}, {}, g * xgrad::exp(xgrad::xlogy(a - 1_c, x) + xgrad::xlog1py(b - 1_c, -x) - log_beta)}};
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
