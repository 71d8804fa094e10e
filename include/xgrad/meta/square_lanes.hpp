// SPDX-License-Identifier: MIT
// Registers of 256 bits as the rows of a square, which is transposed in registers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// transpose(r) for as many registers as one has lanes, of elements of 4 or 8 bytes.
template<std::size_t Bytes>
struct square_lanes;
template<>
struct square_lanes<4> {
    using type __attribute__((vector_size(32))) = std::uint32_t;
    static constexpr std::int64_t size = 8;
    template<class V>
    XGRAD_INLINE static void transpose(V* r) {
        V s[8];
#pragma GCC unroll 4
        for (int k = 0; k < 8; k += 2) {
            s[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
            s[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
        }
#pragma GCC unroll 2
        for (int k = 0; k < 8; k += 4)
#pragma GCC unroll 2
            for (int h = 0; h < 2; ++h) {
                r[k + 2 * h] = __builtin_shufflevector(s[k + h], s[k + h + 2], 0, 1, 8, 9, 4, 5, 12, 13);
                r[k + 2 * h + 1] = __builtin_shufflevector(s[k + h], s[k + h + 2], 2, 3, 10, 11, 6, 7, 14, 15);
            }
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            s[k] = __builtin_shufflevector(r[k], r[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
            s[k + 4] = __builtin_shufflevector(r[k], r[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        }
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) r[k] = s[k];
    }
};
template<>
struct square_lanes<8> {
    using type __attribute__((vector_size(32))) = std::uint64_t;
    static constexpr std::int64_t size = 4;
    template<class V>
    XGRAD_INLINE static void transpose(V* r) {
        V const a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7),
                c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
        r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    }
};
}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
