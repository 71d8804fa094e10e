// SPDX-License-Identifier: MIT
// What the loops over positions do to one row: it is copied, or joined to another one.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>
#include <xgrad/meta/row_registers.hpp>

#include <cstring>
#include <limits>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// How an update joins the element that is there: it takes its place, or their sum, product, maximum or minimum does. In ONNX the
/// reductions are named "none", "add", "mul", "max" and "min", in PyTorch's scatter_reduce "sum", "prod", "amax" and "amin".
enum class combine : unsigned char { update, add, mul, max, min };

namespace op {
/// Which of the ids [b, p, k, q] belong to a row of x [b, o, n, i]; p is 1 or o. It counts along, because a division for each row takes
/// as long as a short row.
class rows_of_ids {
    std::int64_t at_, row_, o_, p_;

public:
    XGRAD_INLINE rows_of_ids(std::int64_t outer, std::int64_t o, std::int64_t p)
        : at_(p == o ? outer : outer / o), row_(outer % o), o_(o), p_(p) {}
    XGRAD_INLINE std::int64_t operator*() const { return at_; }
    XGRAD_INLINE void next() {
        if (p_ == o_) ++at_;
        else if (++row_ == o_) {
            row_ = 0;
            ++at_;
        }
    }
};
template<combine How, class T>
XGRAD_INLINE constexpr T combined(T y, T u) {
    if constexpr (How == combine::update) return u;
    else if constexpr (How == combine::add && std::is_integral_v<T>) return math::add(y, u);
    else if constexpr (How == combine::mul && std::is_integral_v<T>) return math::multiply(y, u);
    else if constexpr (How == combine::add) return y + u;
    else if constexpr (How == combine::mul) return y * u;
    else {
        T const best = How == combine::max ? (u > y ? u : y) : (u < y ? u : y);
        return u == u ? best : u;   // NaN stays
    }
}
/// What changes nothing.
template<combine How, class T>
constexpr T neutral() {
    using limits = std::numeric_limits<T>;
    if constexpr (How == combine::max) return limits::has_infinity ? -limits::infinity() : limits::lowest();
    else if constexpr (How == combine::min) return limits::has_infinity ? limits::infinity() : limits::max();
    else return How == combine::mul ? T(1) : T(0);
}
/// Copies n bytes. A call of memcpy takes as long as a short row.
XGRAD_INLINE void copy_bytes(void* to, void const* from, std::size_t n) {
    using part [[gnu::vector_size(32)]] = unsigned char;
    constexpr std::size_t size = sizeof(part);
    if (n < size || n > 16 * size) {
        std::memcpy(to, from, n);
        return;
    }
    auto const move = [&](std::size_t at) {
        part x;
        std::memcpy(&x, static_cast<char const*>(from) + at, size);
        std::memcpy(static_cast<char*>(to) + at, &x, size);
    };
    std::size_t const last = n - size;
    for (std::size_t at = 0; at < last; at += size) move(at);
    move(last);
}
/// f(length) with the length of rows as a constant for usual lengths, else with 0.
template<class F>
XGRAD_INLINE auto with_row_length(std::int64_t n, F const& f) {
    switch (n) {
    case 8: return f(std::integral_constant<std::int64_t, 8>{});
    case 16: return f(std::integral_constant<std::int64_t, 16>{});
    case 32: return f(std::integral_constant<std::int64_t, 32>{});
    case 64: return f(std::integral_constant<std::int64_t, 64>{});
    default: return f(std::integral_constant<std::int64_t, 0>{});
    }
}
/// The larger or smaller elements of registers, NaN included: y becomes combined<How>(y, u).
template<combine How, class V>
XGRAD_INLINE void combine_lanes(V& y, V const& u) {
    static_assert(How == combine::max || How == combine::min);
    V const best = How == combine::max ? (u > y ? u : y) : (u < y ? u : y);
    y = u == u ? best : u;
}
/// Joins n elements of u to those of y. The blocks have a constant length, so -O2 makes SIMD of them.
template<combine How, class T>
XGRAD_INLINE void combine_row(T* XGRAD_RESTRICT y, T const* XGRAD_RESTRICT u, std::int64_t n) {
    if constexpr (How == combine::update) copy_bytes(y, u, static_cast<std::size_t>(n) * sizeof(T));
    else {
        constexpr std::int64_t block = 16;
        std::int64_t c = 0;
        for (; c + block <= n; c += block)
            for (std::int64_t e = 0; e < block; ++e) y[c + e] = combined<How>(y[c + e], u[c + e]);
        for (; c < n; ++c) y[c] = combined<How>(y[c], u[c]);
    }
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
