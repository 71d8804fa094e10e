// SPDX-License-Identifier: MIT
// The batch: one SIMD type for all machines, with memory access and reductions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/portable_batch.hpp>
#if XGRAD_USE_AVX
#    include <xgrad/backend/x86.hpp>
#elif XGRAD_USE_XSIMD
#    include <xgrad/backend/xsimd.hpp>
#endif

#include <concepts>
#include <cstring>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace simd {

/// Alignment in bytes of all memory that xgrad owns.
inline constexpr std::size_t alignment = 64;

/// The result of a comparison of batch<T>: one truth value per lane.
template<class T>
struct mask {
    using vec = decltype(detail::vec<T>{} < detail::vec<T>{});
    vec v;
    XGRAD_INLINE friend mask operator&(mask a, mask b) { return {a.v & b.v}; }
    XGRAD_INLINE friend mask operator|(mask a, mask b) { return {a.v | b.v}; }
    XGRAD_INLINE friend mask operator!(mask a) { return {~a.v}; }
    XGRAD_INLINE friend mask operator&&(mask a, mask b) { return {a.v & b.v}; }
    XGRAD_INLINE friend mask operator||(mask a, mask b) { return {a.v | b.v}; }
    XGRAD_INLINE bool operator[](std::size_t i) const { return v[i] != 0; }
    template<class B>
        requires std::same_as<B, bool>
    explicit operator B() const {
        static_assert(sizeof(B) == 0,
            "xgrad: a comparison of SIMD batches is used in if or ?:, but each lane has a separate answer; in value(...) and "
            "update(...) write xgrad::math::where(xgrad::math::greater(x, V(0)), a, b)");
        return false;
    }
};

/// One register of T (a floating or integer type) with the arithmetic of its elements.
template<class T>
struct batch {
    using value_type = T;
    using vec = detail::vec<T>;
    static constexpr std::size_t size = width<T>;
    vec v;

    batch() = default;
    XGRAD_INLINE batch(vec lanes_) : v(lanes_) {}
    /// All lanes are x.
    template<class U>
        requires std::is_arithmetic_v<U>
    XGRAD_INLINE explicit(!std::same_as<U, T>) batch(U x) : v(static_cast<T>(x) - vec{}) {}

    XGRAD_INLINE T operator[](std::size_t i) const { return v[i]; }
    // Only to report std::exp(batch).
    template<class N>
        requires std::same_as<N, std::conditional_t<std::is_same_v<T, double>, float, double>>
    operator N() const {
        static_assert(sizeof(N) == 0,
            "xgrad: a SIMD batch is used as a number, as in std::exp(x); in value(...) and update(...) write xgrad::math::exp(x)");
        return N();
    }

    XGRAD_INLINE friend batch operator+(batch a, batch b) { return a.v + b.v; }
    XGRAD_INLINE friend batch operator-(batch a, batch b) { return a.v - b.v; }
    XGRAD_INLINE friend batch operator*(batch a, batch b) { return a.v * b.v; }
    XGRAD_INLINE friend batch operator/(batch a, batch b) { return a.v / b.v; }
    XGRAD_INLINE friend batch operator%(batch a, batch b)
        requires std::is_integral_v<T>
    {
        return a.v % b.v;
    }
    XGRAD_INLINE friend batch operator-(batch a) { return -a.v; }
    XGRAD_INLINE friend batch operator+(batch a) { return a; }
    XGRAD_INLINE batch& operator+=(batch b) { return v += b.v, *this; }
    XGRAD_INLINE batch& operator-=(batch b) { return v -= b.v, *this; }
    XGRAD_INLINE batch& operator*=(batch b) { return v *= b.v, *this; }
    XGRAD_INLINE batch& operator/=(batch b) { return v /= b.v, *this; }

    XGRAD_INLINE friend mask<T> operator<(batch a, batch b) { return {a.v < b.v}; }
    XGRAD_INLINE friend mask<T> operator>(batch a, batch b) { return {a.v > b.v}; }
    XGRAD_INLINE friend mask<T> operator<=(batch a, batch b) { return {a.v <= b.v}; }
    XGRAD_INLINE friend mask<T> operator>=(batch a, batch b) { return {a.v >= b.v}; }
    XGRAD_INLINE friend mask<T> operator==(batch a, batch b) { return {a.v == b.v}; }
    XGRAD_INLINE friend mask<T> operator!=(batch a, batch b) { return {a.v != b.v}; }
};

namespace detail {
template<class T, class N>
XGRAD_INLINE batch<T> batch_of_number(N x) {
    static_assert(std::same_as<N, T>,
        "xgrad: a number of another type is combined with a SIMD batch; in value(...) and update(...) write V(0.5), where V is "
        "the type of the operands");
    return batch<T>(static_cast<T>(x));
}
}   // namespace detail
#define XGRAD_NUMBER_AND_BATCH(op) \
    template<class N, class T> \
        requires std::is_arithmetic_v<N> \
    XGRAD_INLINE auto operator op(N a, batch<T> b) { \
        return detail::batch_of_number<T>(a) op b; \
    } \
    template<class T, class N> \
        requires std::is_arithmetic_v<N> \
    XGRAD_INLINE auto operator op(batch<T> a, N b) { \
        return a op detail::batch_of_number<T>(b); \
    }
XGRAD_NUMBER_AND_BATCH(+)
XGRAD_NUMBER_AND_BATCH(-)
XGRAD_NUMBER_AND_BATCH(*)
XGRAD_NUMBER_AND_BATCH(/)
XGRAD_NUMBER_AND_BATCH(<)
XGRAD_NUMBER_AND_BATCH(>)
XGRAD_NUMBER_AND_BATCH(<=)
XGRAD_NUMBER_AND_BATCH(>=)
XGRAD_NUMBER_AND_BATCH(==)
XGRAD_NUMBER_AND_BATCH(!=)
#undef XGRAD_NUMBER_AND_BATCH

/// The lanes p[0 .. width).
template<class T>
XGRAD_INLINE batch<T> load(T const* p) {
    return detail::lanes<T>::load(p);
}
/// The same from memory aligned to the size of a batch.
template<class T>
XGRAD_INLINE batch<T> load_aligned(T const* p) {
    return detail::lanes<T>::load_aligned(p);
}
template<class T>
XGRAD_INLINE void store(T* p, batch<T> x) {
    detail::lanes<T>::store(p, x.v);
}
template<class T>
XGRAD_INLINE void store_aligned(T* p, batch<T> x) {
    detail::lanes<T>::store_aligned(p, x.v);
}
/// f(x, others...) lane by lane, for functions of the C library that have no batch form.
template<class F, class T, class... B>
XGRAD_INLINE batch<T> each_lane(F const& f, batch<T> const& x, B const&... others) {
    T lane[width<T>];
    for (std::size_t i = 0; i < width<T>; ++i) lane[i] = f(x[i], others[i]...);
    return load(lane);
}
/// p[0 .. n), and `fill` in the other lanes; 0 <= n <= width. Memory beyond n is not accessed.
template<class T>
XGRAD_INLINE batch<T> load_partial(T const* p, std::size_t n, std::type_identity_t<T> fill = T(0)) {
    return detail::lanes<T>::load_partial(p, n, fill);
}
/// Writes p[0 .. n), 0 <= n <= width. Memory beyond n is not accessed.
template<class T>
XGRAD_INLINE void store_partial(T* p, batch<T> x, std::size_t n) {
    detail::lanes<T>::store_partial(p, x.v, n);
}

/// All lanes of batch V are x.
template<class V>
XGRAD_INLINE V broadcast(typename V::value_type x) {
    return V(x);
}
/// {0, 1, 2, ...}.
template<class V>
XGRAD_INLINE V iota() {
    typename V::vec r{};
    for (std::size_t i = 0; i < V::size; ++i) r[i] = static_cast<typename V::value_type>(i);
    return r;
}

namespace detail {
struct add_lanes {
    template<class V>
    XGRAD_INLINE V operator()(V a, V b) const {
        return a + b;
    }
};
struct max_lanes {
    template<class V>
    XGRAD_INLINE V operator()(V a, V b) const {
        return a > b ? a : b;
    }
};
struct min_lanes {
    template<class V>
    XGRAD_INLINE V operator()(V a, V b) const {
        return a < b ? a : b;
    }
};
template<class T, std::size_t Bytes, class F>
XGRAD_INLINE T reduce(vec<T, Bytes> v, F f);
template<class T, std::size_t Bytes, class F, std::size_t... I>
XGRAD_INLINE T halves(vec<T, Bytes> v, F f, std::index_sequence<I...>) {
    vec<T, Bytes / 2> const low = __builtin_shufflevector(v, v, static_cast<int>(I)...);
    vec<T, Bytes / 2> const high = __builtin_shufflevector(v, v, static_cast<int>(I + sizeof...(I))...);
    return reduce<T, Bytes / 2>(static_cast<vec<T, Bytes / 2>>(f(low, high)), f);
}
/// Halves the vector until one lane is left: lane i is combined with lane i + width / 2. Results depend on this order.
template<class T, std::size_t Bytes, class F>
XGRAD_INLINE T reduce(vec<T, Bytes> v, F f) {
    if constexpr (Bytes == 2 * sizeof(T)) return f(static_cast<T>(v[0]), static_cast<T>(v[1]));
    else return halves<T, Bytes>(v, f, std::make_index_sequence<Bytes / sizeof(T) / 2>{});
}
}   // namespace detail

/// The sum of all lanes, in a fixed order.
template<class T>
XGRAD_INLINE T sum(batch<T> x) {
    return detail::reduce<T, register_bytes>(x.v, detail::add_lanes{});
}
namespace detail {
// A vector contains several rows with `Part` partial sums each. Joins the lower or upper halves of the parts of two vectors.
template<class T, std::size_t Part, bool Upper, std::size_t... I>
XGRAD_INLINE vec<T> join_halves(vec<T> a, vec<T> b, std::index_sequence<I...>) {
    constexpr std::size_t half = Part / 2;
    return __builtin_shufflevector(a, b, static_cast<int>(I / half * Part + I % half + (Upper ? half : 0))...);
}
template<class T, std::size_t Part>
XGRAD_INLINE vec<T> sum_rows(vec<T>* rows) {   // the order of reduce()
    if constexpr (Part == 1) {
        return rows[0];
    } else {
        constexpr auto all = std::make_index_sequence<width<T>>{};
        for (std::size_t i = 0; i < Part / 2; ++i) {
            rows[i] = join_halves<T, Part, false>(rows[2 * i], rows[2 * i + 1], all) +
                      join_halves<T, Part, true>(rows[2 * i], rows[2 * i + 1], all);
        }
        return sum_rows<T, Part / 2>(rows);
    }
}
}   // namespace detail
/// Lane i is bitwise equal to sum(rows[i]).
template<class T>
XGRAD_INLINE batch<T> sums(batch<T> const (&rows)[width<T>]) {
    detail::vec<T> r[width<T>];
    for (std::size_t i = 0; i < width<T>; ++i) r[i] = rows[i].v;
    return detail::sum_rows<T, width<T>>(r);
}
/// The largest lane. Unspecified if a lane is NaN.
template<class T>
XGRAD_INLINE T max(batch<T> x) {
    return detail::reduce<T, register_bytes>(x.v, detail::max_lanes{});
}
/// The smallest lane. Unspecified if a lane is NaN.
template<class T>
XGRAD_INLINE T min(batch<T> x) {
    return detail::reduce<T, register_bytes>(x.v, detail::min_lanes{});
}

}   // namespace simd
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
