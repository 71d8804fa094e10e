// SPDX-License-Identifier: MIT
// SIMD vectors of the machine, as wide as the build allows, and exp, log, tanh, sigmoid on them: the tools of the hand-written yardsticks.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#if defined(__AVX2__)
#    include <immintrin.h>
#endif

#define HAND_INLINE [[gnu::always_inline]] inline
// Says that the iterations of the next loop are independent.
#if defined(__clang__)
#    define HAND_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#    define HAND_INDEPENDENT _Pragma("GCC ivdep")
#endif

// Every vector size is its own namespace, so that programs of several architectures never share these functions.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#    define HAND_BYTES 64
#    define HAND_NAMESPACE bytes64
#elif defined(__AVX2__) && defined(__FMA__)
#    define HAND_BYTES 32
#    define HAND_NAMESPACE bytes32
#else
#    define HAND_BYTES 16
#    define HAND_NAMESPACE bytes16
#endif

namespace hand {
inline namespace HAND_NAMESPACE {

using vf = float __attribute__((vector_size(HAND_BYTES)));
using vd = double __attribute__((vector_size(HAND_BYTES)));
using vi = std::int32_t __attribute__((vector_size(HAND_BYTES)));
using vl = std::int64_t __attribute__((vector_size(HAND_BYTES)));
#if HAND_BYTES == 64
using vh = float __attribute__((vector_size(32)));   // for rows of eight numbers
#else
using vh = vf;
#endif

namespace detail {
template<class V>
struct traits;
template<>
struct traits<vf> {
    using scalar = float;
    using integer = vi;
};
template<>
struct traits<vd> {
    using scalar = double;
    using integer = vl;
};
#if HAND_BYTES == 64
template<>
struct traits<vh> {
    using scalar = float;
};
#endif
template<class V>
struct unaligned {
    using type __attribute__((vector_size(sizeof(V)), aligned(alignof(typename traits<V>::scalar)), may_alias)) =
        typename traits<V>::scalar;
};
}   // namespace detail

template<class V>
using scalar_t = typename detail::traits<V>::scalar;
template<class V>
inline constexpr int lanes = int(sizeof(V) / sizeof(scalar_t<V>));
inline constexpr int wf = lanes<vf>;   // floats in a vector
inline constexpr int wd = lanes<vd>;   // doubles in a vector

template<class V>
HAND_INLINE V load(scalar_t<V> const* p) {
    return (V) * reinterpret_cast<typename detail::unaligned<V>::type const*>(p);
}
template<class V>
HAND_INLINE void store(scalar_t<V>* p, V v) {
    *reinterpret_cast<typename detail::unaligned<V>::type*>(p) = (typename detail::unaligned<V>::type)v;
}
template<class V>
HAND_INLINE V set1(scalar_t<V> s) {
    return s - V{};
}
HAND_INLINE vf loadf(float const* p) { return load<vf>(p); }
HAND_INLINE vd loadd(double const* p) { return load<vd>(p); }
HAND_INLINE void prefetch(void const* p) { __builtin_prefetch(p, 1, 3); }

#if HAND_BYTES == 64
template<>
HAND_INLINE vf set1<vf>(float s) {
    return (vf)_mm512_set1_ps(s);
}
template<>
HAND_INLINE vd set1<vd>(double s) {
    return (vd)_mm512_set1_pd(s);
}
HAND_INLINE vf fma(vf a, vf b, vf c) { return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c); }
HAND_INLINE vd fma(vd a, vd b, vd c) { return (vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c); }
HAND_INLINE vf fnma(vf a, vf b, vf c) { return (vf)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c); }
HAND_INLINE vd fnma(vd a, vd b, vd c) { return (vd)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c); }
HAND_INLINE vf sqrt(vf a) { return (vf)_mm512_maskz_sqrt_ps(0xffff, (__m512)a); }
HAND_INLINE vd sqrt(vd a) { return (vd)_mm512_maskz_sqrt_pd(0xff, (__m512d)a); }
HAND_INLINE vf max(vf a, vf b) { return (vf)_mm512_maskz_max_ps(0xffff, (__m512)a, (__m512)b); }
HAND_INLINE vf rsqrt_estimate(vf a) { return (vf)_mm512_maskz_rsqrt14_ps(0xffff, (__m512)a); }
HAND_INLINE vd max(vd a, vd b) { return (vd)_mm512_maskz_max_pd(0xff, (__m512d)a, (__m512d)b); }
HAND_INLINE vf min(vf a, vf b) { return (vf)_mm512_maskz_min_ps(0xffff, (__m512)a, (__m512)b); }
HAND_INLINE vd min(vd a, vd b) { return (vd)_mm512_maskz_min_pd(0xff, (__m512d)a, (__m512d)b); }
HAND_INLINE vf where_positive(vf c, vf a) {   // a where c > 0, else 0
    return (vf)_mm512_maskz_mov_ps(_mm512_cmp_ps_mask((__m512)c, _mm512_setzero_ps(), _CMP_GT_OQ), (__m512)a);
}
HAND_INLINE vf where_greater(vf c, vf limit, vf a) {   // a where c > limit, else 0
    return (vf)_mm512_maskz_mov_ps(_mm512_cmp_ps_mask((__m512)c, (__m512)limit, _CMP_GT_OQ), (__m512)a);
}
#elif HAND_BYTES == 32
template<>
HAND_INLINE vf set1<vf>(float s) {
    return (vf)_mm256_set1_ps(s);
}
template<>
HAND_INLINE vd set1<vd>(double s) {
    return (vd)_mm256_set1_pd(s);
}
HAND_INLINE vf fma(vf a, vf b, vf c) { return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c); }
HAND_INLINE vd fma(vd a, vd b, vd c) { return (vd)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c); }
HAND_INLINE vf fnma(vf a, vf b, vf c) { return (vf)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c); }
HAND_INLINE vd fnma(vd a, vd b, vd c) { return (vd)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c); }
HAND_INLINE vf sqrt(vf a) { return (vf)_mm256_sqrt_ps((__m256)a); }
HAND_INLINE vf rsqrt_estimate(vf a) { return (vf)_mm256_rsqrt_ps((__m256)a); }
HAND_INLINE vd sqrt(vd a) { return (vd)_mm256_sqrt_pd((__m256d)a); }
HAND_INLINE vf max(vf a, vf b) { return (vf)_mm256_max_ps((__m256)a, (__m256)b); }
HAND_INLINE vd max(vd a, vd b) { return (vd)_mm256_max_pd((__m256d)a, (__m256d)b); }
HAND_INLINE vf min(vf a, vf b) { return (vf)_mm256_min_ps((__m256)a, (__m256)b); }
HAND_INLINE vd min(vd a, vd b) { return (vd)_mm256_min_pd((__m256d)a, (__m256d)b); }
HAND_INLINE vf where_positive(vf c, vf a) { return (vf)((vi)(c > vf{}) & (vi)a); }
HAND_INLINE vf where_greater(vf c, vf limit, vf a) { return (vf)((vi)(c > limit) & (vi)a); }
#else
template<class V>
HAND_INLINE V fma(V a, V b, V c) {
    return a * b + c;
}
template<class V>
HAND_INLINE V fnma(V a, V b, V c) {
    return c - a * b;
}
template<class V>
HAND_INLINE V sqrt(V a) {
    for (int i = 0; i < lanes<V>; ++i) a[i] = std::sqrt(a[i]);
    return a;
}
HAND_INLINE vf rsqrt_estimate(vf a) { return set1<vf>(1) / sqrt(a); }
template<class V>
HAND_INLINE V max(V a, V b) {
    return a > b ? a : b;
}
template<class V>
HAND_INLINE V min(V a, V b) {
    return a < b ? a : b;
}
HAND_INLINE vf where_positive(vf c, vf a) { return (vf)((vi)(c > vf{}) & (vi)a); }
HAND_INLINE vf where_greater(vf c, vf limit, vf a) { return (vf)((vi)(c > limit) & (vi)a); }
#endif

#if HAND_BYTES == 64
HAND_INLINE vh fma(vh a, vh b, vh c) { return (vh)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c); }
HAND_INLINE vh sqrt(vh a) { return (vh)_mm256_sqrt_ps((__m256)a); }
#endif

template<class V>
HAND_INLINE V abs(V a) {
    using I = typename detail::traits<V>::integer;
    return (V)((I)a & ~(I)set1<V>(scalar_t<V>(-0.0)));
}
template<class V>
HAND_INLINE V copysign(V a, V s) {
    using I = typename detail::traits<V>::integer;
    I sign = (I)set1<V>(scalar_t<V>(-0.0));
    return (V)(((I)a & ~sign) | ((I)s & sign));
}

namespace detail {
// Sum or maximum of all lanes, halves first.
template<class Join>
HAND_INLINE float fold(vf a, Join const& join) {
    using v4f = float __attribute__((vector_size(16)));
#if HAND_BYTES == 64
    vh const b = join(__builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15));
    v4f const c = join(__builtin_shufflevector(b, b, 0, 1, 2, 3), __builtin_shufflevector(b, b, 4, 5, 6, 7));
#elif HAND_BYTES == 32
    v4f const c = join(__builtin_shufflevector(a, a, 0, 1, 2, 3), __builtin_shufflevector(a, a, 4, 5, 6, 7));
#else
    v4f const c = a;
#endif
    v4f const d = join(c, __builtin_shufflevector(c, c, 2, 3, 2, 3));
    v4f const e = join(d, __builtin_shufflevector(d, d, 1, 1, 1, 1));
    return e[0];
}
struct plus {
    template<class V>
    HAND_INLINE V operator()(V a, V b) const {
        return a + b;
    }
};
struct larger {
    template<class V>
    HAND_INLINE V operator()(V a, V b) const {
        return a > b ? a : b;
    }
};
}   // namespace detail

HAND_INLINE float hsum(vf a) { return detail::fold(a, detail::plus{}); }
HAND_INLINE float hmax(vf a) { return detail::fold(a, detail::larger{}); }
/// Sums of neighbours: {a0 + a1, a2 + a3 ..., b0 + b1, b2 + b3 ...}.
template<class V>
HAND_INLINE V pairs(V a, V b) {
    if constexpr (lanes<V> == 16) {
        return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
               __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    } else if constexpr (lanes<V> == 8) {
        return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) + __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    } else if constexpr (lanes<V> == 4) {
        return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
    } else {
        return __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
    }
}
/// The sums of as many vectors as a vector has lanes, in order. Uses up `a`.
template<class V>
HAND_INLINE V sums(V (&a)[lanes<V>]) {
    if constexpr (lanes<V> == 2) {
        return pairs(a[0], a[1]);
    } else {
#pragma GCC unroll 4
        for (int n = lanes<V> / 2; n > 0; n /= 2) {
#pragma GCC unroll 8
            for (int i = 0; i < n; ++i) a[i] = pairs(a[2 * i], a[2 * i + 1]);
        }
        return a[0];
    }
}

HAND_INLINE double hsum(vd a) {
    double s = 0;
    for (int i = 0; i < wd; ++i) s += a[i];
    return s;
}
HAND_INLINE double hmax(vd a) {
    double s = a[0];
    for (int i = 1; i < wd; ++i) s = s > a[i] ? s : a[i];
    return s;
}

/// N vectors together: each operation is done for all of them before the next, so that chains of dependent operations overlap.
template<class V, int N>
struct pack {
    V v[N];
};
namespace detail {
template<class V, int N>
struct traits<pack<V, N>> {
    using scalar = scalar_t<V>;
};
template<class V>
inline constexpr bool is_pack = false;
template<class V, int N>
inline constexpr bool is_pack<pack<V, N>> = true;
template<class V>
inline constexpr bool is_float = std::is_same_v<scalar_t<V>, float>;

template<class V, int N, class F, class... A>
HAND_INLINE pack<V, N> each(F const& f, A const&... a) {
    pack<V, N> r;
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) r.v[i] = f(a.v[i]...);
    return r;
}
template<class V>
HAND_INLINE V constant(double c) {
    if constexpr (is_pack<V>) {
        V r;
        for (auto& v : r.v) v = constant<std::remove_cvref_t<decltype(v)>>(c);
        return r;
    } else {
        return set1<V>(scalar_t<V>(c));
    }
}

// 2^n * p for the n whose integer bits are at the low end of `magic` = n + 1.5 * 2^(mantissa bits).
HAND_INLINE vf scale(vf p, vf magic) { return (vf)((vi)p + ((vi)magic << 23)); }
HAND_INLINE vd scale(vd p, vd magic) { return (vd)((vl)p + ((vl)magic << 52)); }
// x = 2^e * m with m in [sqrt(1/2), sqrt(2)).
HAND_INLINE vf exponent(vf x) { return __builtin_convertvector(((vi)x - 0x3f3504f3) >> 23, vf); }
HAND_INLINE vf mantissa(vf x) { return (vf)((((vi)x - 0x3f3504f3) & 0x7fffff) + 0x3f3504f3); }
HAND_INLINE vd exponent(vd x) {
    vl const n = ((vl)x - 0x3fe6a09e667f3bcd) >> 52;
    return (vd)(n + 0x4338000000000000) - set1<vd>(6755399441055744.0);
}
HAND_INLINE vd mantissa(vd x) { return (vd)((((vl)x - 0x3fe6a09e667f3bcd) & 0xfffffffffffff) + 0x3fe6a09e667f3bcd); }
template<class V>
HAND_INLINE V where_negative(V x, V a, V b) {
    return x < V{} ? a : b;
}
}   // namespace detail

#define HAND_PACK1(name) \
    template<class V, int N> \
    HAND_INLINE pack<V, N> name(pack<V, N> a) { \
        return detail::each<V, N>( \
            [](V x) __attribute__((always_inline)) { return name(x); }, a); \
    }
#define HAND_PACK2(name, expression) \
    template<class V, int N> \
    HAND_INLINE pack<V, N> name(pack<V, N> a, pack<V, N> b) { \
        return detail::each<V, N>( \
            [](V x, V y) __attribute__((always_inline)) { return expression; }, a, b); \
    }
#define HAND_PACK3(name) \
    template<class V, int N> \
    HAND_INLINE pack<V, N> name(pack<V, N> a, pack<V, N> b, pack<V, N> c) { \
        return detail::each<V, N>( \
            [](V x, V y, V z) __attribute__((always_inline)) { return name(x, y, z); }, a, b, c); \
    }
HAND_PACK1(sqrt)
HAND_PACK1(abs)
HAND_PACK2(operator+, x + y)
HAND_PACK2(operator-, x - y)
HAND_PACK2(operator*, x* y)
HAND_PACK2(operator/, x / y)
HAND_PACK2(max, max(x, y))
HAND_PACK2(min, min(x, y))
HAND_PACK2(copysign, copysign(x, y))
HAND_PACK3(fma)
HAND_PACK3(fnma)
namespace detail {
HAND_PACK1(exponent)
HAND_PACK1(mantissa)
HAND_PACK2(scale, scale(x, y))
HAND_PACK3(where_negative)
#undef HAND_PACK1
#undef HAND_PACK2
#undef HAND_PACK3

// expm1(r) on |r| <= ln2 / 2: r + r^2 q(r), q fitted at Chebyshev nodes (relative error of exp 8e-9 in float, 1e-17 in double).
template<class V>
HAND_INLINE V expm1_core(V r) {
    constexpr auto c = [](double x) __attribute__((always_inline)) { return constant<V>(x); };
    if constexpr (is_float<V>) {
        V q = fma(c(0.00139263256181), r, c(0.00836329275303));
        q = fma(q, r, c(0.0416665537626));
        q = fma(q, r, c(0.1666657630556));
        q = fma(q, r, c(0.5));
        return fma(q, r * r, r);
    } else {
        V const r2 = r * r, r4 = r2 * r2;
        V a = fma(c(0.16666666666666667468), r, c(0.5));
        V b = fma(c(0.0083333333333300117609), r, c(0.041666666666623476764));
        V d = fma(c(0.00019841269863303223296), r, c(0.0013888888917538295848));
        V e = fma(c(2.7557268072890098263e-6), r, c(0.000024801520792572692843));
        V f = fma(c(2.5100569275813682631e-8), r, c(2.762032742826823816e-7));
        d = fma(f, r4, fma(e, r2, d));
        return fma(fma(d, r4, fma(b, r2, a)), r2, r);
    }
}
template<class V>
HAND_INLINE V reduce(V x, V& magic) {
    V const shift = constant<V>(is_float<V> ? 12582912.0 : 6755399441055744.0);
    magic = fma(x, constant<V>(1.4426950408889634), shift);
    V const n = magic - shift;
    V const r = fnma(n, constant<V>(is_float<V> ? 0.693359375 : 0.6931467056274414), x);
    return fnma(n, constant<V>(is_float<V> ? -2.12194440054691e-4 : 4.7493250390316726e-07), r);
}
}   // namespace detail

/// exp for arguments up to 88 (float), 709 (double); smaller ones than -87, -708 count as these. Within 2 ULP.
template<class V>
HAND_INLINE V exp(V x) {
    V magic;
    V const r = detail::reduce(max(x, detail::constant<V>(detail::is_float<V> ? -87.0 : -708.0)), magic);
    return detail::scale(detail::expm1_core(r) + detail::constant<V>(1), magic);
}

#if HAND_BYTES == 64
/// exp in double where a register permutes a table: x = (16 n + j) ln2 / 16 + r, exp x = 2^n 2^(j / 16) exp(r) with |r| <= ln2 / 32.
HAND_INLINE vd exp(vd x) {
    vd const shift = set1<vd>(6755399441055744.0), low = {1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916,
                                                       1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927};
    vd const high = {1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543, 1.681792830507429, 1.7562521603732995,
        1.8340080864093424, 1.9152065613971474};
    vd const magic = fma(max(x, set1<vd>(-708.0)), set1<vd>(16 * 1.4426950408889634), shift), n = magic - shift;
    vd const r = fnma(n, set1<vd>(4.7493250390316726e-07 / 16), fnma(n, set1<vd>(0.6931467056274414 / 16), x)), r2 = r * r;
    vd const t = (vd)_mm512_permutex2var_pd((__m512d)low, (__m512i)magic, (__m512d)high);
    vd q = fma(set1<vd>(0.0013889034931023193075), r, set1<vd>(0.0083334501671936573952));
    q = fma(q, r2, fma(set1<vd>(0.041666666664946758904), r, set1<vd>(0.16666666665290738206)));
    q = fma(fma(q, r, set1<vd>(0.5)), r2, r);
    vl const power = ((vl)magic >> 4) << 52;
    return (vd)((vl)fma(t, q, t) + power);
}
template<int N>
HAND_INLINE pack<vd, N> exp(pack<vd, N> x) {
    return detail::each<vd, N>(
        [](vd v) __attribute__((always_inline)) { return exp(v); }, x);
}
#endif

/// tanh by expm1(2|x|) / (expm1(2|x|) + 2): no cancellation near 0. Within 3 ULP.
template<class V>
HAND_INLINE V tanh(V x) {
    V magic;
    V const a = min(abs(x), detail::constant<V>(detail::is_float<V> ? 10.0 : 20.0)), one = detail::constant<V>(1);
    V const p = detail::expm1_core(detail::reduce(a + a, magic));
    V const s = detail::scale(one, magic);
    V const e = fma(s, p, s - one);
    return copysign(e / (e + detail::constant<V>(2)), x);
}

/// 1 / (1 + exp(-x)) without overflow.
template<class V>
HAND_INLINE V sigmoid(V x) {
    V const zero = detail::constant<V>(0), one = detail::constant<V>(1), e = exp(zero - abs(x));
    return detail::where_negative(x, e, one) / (one + e);
}

/// log of positive normal numbers: mantissa in [sqrt(1/2), sqrt(2)), atanh series with fitted coefficients. Within 2 ULP.
template<class V>
HAND_INLINE V log(V x) {
    constexpr auto c = [](double a) __attribute__((always_inline)) { return detail::constant<V>(a); };
    V const e = detail::exponent(x), f = detail::mantissa(x) - c(1), s = f / (f + c(2)), z = s * s, h = c(0.5) * f * f;
    V R, low, high;
    if constexpr (detail::is_float<V>) {
        R = z * fma(fma(c(0.29582023562), z, c(0.39988734820)), z, c(0.66666685151));
        high = c(0.693359375);
        low = c(-2.12194440054691e-4);
    } else {
        V const z2 = z * z;
        V const p = fma(c(0.40000000000000889534), z, c(0.66666666666666666462));
        V const q = fma(c(0.22222222393452627488), z, c(0.28571428570795934749));
        V const t = fma(c(0.15386249788196104628), z, c(0.18181795454526501038));
        V const u = fma(c(0.13089445145246311412), z, c(0.13268503312794760136));
        R = z * fma(fma(fma(u, z2, t), z2, q), z2, p);
        high = c(0.6931467056274414);
        low = c(4.7493250390316726e-07);
    }
    return fma(e, high, f - (h - fma(s, h + R, e * low)));
}

}   // namespace HAND_NAMESPACE
}   // namespace hand
