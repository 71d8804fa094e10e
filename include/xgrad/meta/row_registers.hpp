// SPDX-License-Identifier: MIT
// A row of a few elements that stays in registers while other rows join it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Keeps a vector of 32 bytes in a register. Without this g++ may load an element again for each use.
template<class V>
XGRAD_INLINE void keep_in_register(V& v) {
#if defined(__AVX__)
    asm("" : "+v"(v));
#else
    (void)v;
#endif
}

/// Whether N elements fill at most eight registers of 256 bits.
template<class T, std::int64_t N>
inline constexpr bool fits_registers = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && N > 0 && N <= 64 &&
                                       N* static_cast<std::int64_t>(sizeof(T)) % 32 == 0 && N* static_cast<std::int64_t>(sizeof(T)) <= 256;

template<class T, std::int64_t N>
    requires fits_registers<T, N>
struct row_registers {
    using V __attribute__((vector_size(32))) = T;
    static constexpr std::int64_t lanes = 32 / sizeof(T), count = N / lanes;
    V part[count];

    XGRAD_INLINE void clear() {
#pragma GCC unroll 8
        for (std::int64_t k = 0; k < count; ++k) part[k] = V{};
    }
    XGRAD_INLINE void load(T const* x) {
#pragma GCC unroll 8
        for (std::int64_t k = 0; k < count; ++k) std::memcpy(&part[k], x + k * lanes, sizeof(V));
    }
    XGRAD_INLINE void store(T* y) const {
#pragma GCC unroll 8
        for (std::int64_t k = 0; k < count; ++k) std::memcpy(y + k * lanes, &part[k], sizeof(V));
    }
    /// f(part, u) for each register and the elements u of x that belong to it.
    template<class F>
    XGRAD_INLINE void join(T const* x, F const& f) {
#pragma GCC unroll 8
        for (std::int64_t k = 0; k < count; ++k) {
            V u;
            std::memcpy(&u, x + k * lanes, sizeof(V));
            f(part[k], u);
        }
    }
    XGRAD_INLINE void scale(T by) {
#pragma GCC unroll 8
        for (std::int64_t k = 0; k < count; ++k) part[k] *= by;
    }
    XGRAD_INLINE void add(T const* x) {
        join(x, [](V& sum, V const& u) { sum += u; });
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
