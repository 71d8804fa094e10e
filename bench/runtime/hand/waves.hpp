// SPDX-License-Identifier: MIT
// Hand-written sine, power, error function and a chain of them, in double, for arguments without special cases: |x| < 1000, bases above 0.
#pragma once

#include "data.hpp"
#include "vec.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

class waves {
public:
    static constexpr int n = 1000, U = 5;
    buffer<double> x{n}, base{n}, out{n}, gradient{n};

    waves() {
        for (int i = 0; i < n; ++i) {
            x[i] = 8 * uniform(11, 0, std::uint64_t(i)) - 4;
            base[i] = 0.1 + 3 * uniform(11, 1, std::uint64_t(i));
        }
    }
    using V = pack<vd, U>;
    static_assert(n % (U * 8) == 0);

    [[gnu::noinline]] void sines() {
        each(
            x, [](V v) __attribute__((always_inline)) { return turned(v, 0); });
    }
    [[gnu::noinline]] void powers() {
        each(
            base, [](V v) __attribute__((always_inline)) { return exp(c(1.7) * log(v)); });
    }
    [[gnu::noinline]] void errors() {
        each(
            x, [](V v) __attribute__((always_inline)) { return erf(v); });
    }
    /// Sum of erf((cos(2 sin(1.5 x)) + 1.2)^1.7 - 0.5) and its gradient, each element once through the registers.
    [[gnu::noinline]] double chain() {
        vd sum{};
        for (int i = 0; i < n; i += U * wd) {
            V const u = take(x, i) * c(1.5), s = turned(u, 0), t = s * c(2), k = turned(t, 1) + c(1.2), l = log(k);
            V const p = exp(c(1.7) * l), e = p - c(0.5), y = erf(e);
            // 2 / sqrt(pi) exp(-e^2) 1.7 p / k (-sin t) 2 cos(u) 1.5
            V const slope = exp(fnma(e, e, c(0))) * p / k * turned(t, 0) * turned(u, 1) * c(-1.1283791670955126 * 1.7 * 2 * 1.5);
#pragma GCC unroll 8
            for (int j = 0; j < U; ++j) {
                sum += y.v[j];
                store<vd>(gradient + i + j * wd, slope.v[j]);
            }
        }
        return hsum(sum);
    }

private:
    HAND_INLINE static V c(double a) { return detail::constant<V>(a); }
    HAND_INLINE static V take(double const* p, int i) {
        V v;
#pragma GCC unroll 8
        for (int j = 0; j < U; ++j) v.v[j] = loadd(p + i + j * wd);
        return v;
    }
    template<class F>
    HAND_INLINE void each(double const* p, F const& f) {
        for (int i = 0; i < n; i += U * wd) {
            V const v = f(take(p, i));
#pragma GCC unroll 8
            for (int j = 0; j < U; ++j) store<vd>(out + i + j * wd, v.v[j]);
        }
    }
    /// sin(x + quarter pi / 2): pi / 2 in three parts, both polynomials of fdlibm's degree, a select by quadrant.
    HAND_INLINE static V turned(V x, int quarter) {
        V r;
#pragma GCC unroll 8
        for (int j = 0; j < U; ++j) {
            vd const shift = set1<vd>(6755399441055744.0), magic = fma(x.v[j], set1<vd>(0.63661977236758134), shift), m = magic - shift;
            vd a = fnma(m, set1<vd>(1.5707963267341256), x.v[j]);
            a = fnma(m, set1<vd>(6.0771005063039101e-11), a);
            a = fnma(m, set1<vd>(2.0222662487959506e-21), a);
            vl const q = (vl)magic + quarter;
            vd const z = a * a;
            vd s = fma(set1<vd>(1.5892981881672706e-10), z, set1<vd>(-2.5050692878254855e-08));
            s = fma(
                fma(fma(s, z, set1<vd>(2.755731327896907e-06)), z, set1<vd>(-0.00019841269828628356)), z, set1<vd>(0.008333333333320954));
            s = fma(fma(s, z, set1<vd>(-0.16666666666666627)) * z, a, a);
            vd k = fma(set1<vd>(-1.135626481421091e-11), z, set1<vd>(2.0875657571486305e-09));
            k = fma(
                fma(fma(k, z, set1<vd>(-2.75573138658876e-07)), z, set1<vd>(2.48015872877858e-05)), z, set1<vd>(-0.0013888888888871384));
            k = fma(fma(fma(k, z, set1<vd>(0.04166666666666658)), z, set1<vd>(-0.5)), z, set1<vd>(1));
            r.v[j] = (vd)((vl)((q & 1) != 0 ? k : s) ^ (q >> 1) << 63);
        }
        return r;
    }
    template<int N>
    HAND_INLINE static V polynomial(V x, double const (&p)[N]) {
        V r = c(p[N - 1]);
#pragma GCC unroll 20
        for (int i = N - 2; i >= 0; --i) r = fma(r, x, c(p[i]));
        return r;
    }
    /// x (1 + p(x^2)) up to 1, beyond it 1 - exp(log erfc).
    HAND_INLINE static V erf(V x) {
        static constexpr double small[] = {0.12837916709551256, -0.3761263890318352, 0.112837916709442, -0.02686617064311341,
            0.0052239776061308385, -0.000854832592976609, 0.00012055293586932971, -1.4924712439467177e-05, 1.6447132699036383e-06,
            -1.6206318747740093e-07, 1.3710988683402286e-08, -7.779462935809436e-10};
        static constexpr double large[] = {-4.855328613599358e-07, -1.1283742459942587, -0.6366429749006328, -0.10270510927803472,
            0.018993103520164985, 0.0004069087570376198, -0.0019123946049789788, 0.0007680544033528718, -0.00013359350121732136,
            -2.0899715992773057e-05, 2.303337547389068e-05, -8.720069328888118e-06, 2.1453372325707655e-06, -3.74500500324169e-07,
            4.650709015868127e-08, -3.935029677326565e-09, 2.041440465139625e-10, -4.9089771324819075e-12};
        V const a = min(abs(x), c(6)), near = fma(x, polynomial(x * x, small), x), far = c(1) - exp(polynomial(a, large));
        V r;
#pragma GCC unroll 8
        for (int j = 0; j < U; ++j) {
            vl const sign = (vl)x.v[j] & (vl)set1<vd>(-0.0);
            r.v[j] = a.v[j] < set1<vd>(1) ? near.v[j] : (vd)((vl)far.v[j] | sign);
        }
        return r;
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
