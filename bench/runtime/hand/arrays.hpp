// SPDX-License-Identifier: MIT
// Hand-written: arrays converted, padded, rotated, repeated and transposed.
#pragma once

#include "vec.hpp"

#include <cstdint>
#include <cstring>

namespace hand {
inline namespace HAND_NAMESPACE {

[[gnu::noinline]] inline void floats_of_bytes(std::uint8_t const* __restrict x, float* __restrict y, float scale, int n) {
    for (int i = 0; i < n; ++i) y[i] = float(x[i]) * scale;
}
[[gnu::noinline]] inline void padded(float const* x, float* y, int m, int n, int by) {
    int const width = n + 2 * by;
    std::memset(y, 0, sizeof(float) * std::size_t(by * width));
    for (int i = 0; i < m; ++i) {
        float* const row = y + (i + by) * width;
        std::memset(row, 0, sizeof(float) * std::size_t(by));
        std::memcpy(row + by, x + i * n, sizeof(float) * std::size_t(n));
        std::memset(row + by + n, 0, sizeof(float) * std::size_t(by));
    }
    std::memset(y + (m + by) * width, 0, sizeof(float) * std::size_t(by * width));
}
[[gnu::noinline]] inline void rotated_rows(float const* x, float* y, int m, int n, int by) {
    for (int i = 0; i < m; ++i) {
        std::memcpy(y + i * n, x + i * n + n - by, sizeof(float) * std::size_t(by));
        std::memcpy(y + i * n + by, x + i * n, sizeof(float) * std::size_t(n - by));
    }
}
[[gnu::noinline]] inline void repeated_rows(float const* x, float* y, int m, int n, int times) {
    for (int i = 0; i < m; ++i)
        for (int t = 0; t < times; ++t, y += n) std::memcpy(y, x + i * n, sizeof(float) * std::size_t(n));
}
/// Squares of eight by eight in registers.
[[gnu::noinline]] inline void transposed_matrix(float const* __restrict x, float* __restrict y, int m, int n) {
    using v8 = float __attribute__((vector_size(32)));
    using v8u = float __attribute__((vector_size(32), aligned(4), may_alias));
    for (int i = 0; i < m; i += 8)
        for (int j = 0; j < n; j += 8) {
            v8 r[8], s[8];
#pragma GCC unroll 8
            for (int k = 0; k < 8; ++k) r[k] = (v8) * reinterpret_cast<v8u const*>(x + (i + k) * n + j);
#pragma GCC unroll 4
            for (int k = 0; k < 8; k += 2) {
                s[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
                s[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
            }
#pragma GCC unroll 2
            for (int k = 0; k < 8; k += 4) {
                r[k] = __builtin_shufflevector(s[k], s[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
                r[k + 1] = __builtin_shufflevector(s[k], s[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
                r[k + 2] = __builtin_shufflevector(s[k + 1], s[k + 3], 0, 1, 8, 9, 4, 5, 12, 13);
                r[k + 3] = __builtin_shufflevector(s[k + 1], s[k + 3], 2, 3, 10, 11, 6, 7, 14, 15);
            }
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) {
                *reinterpret_cast<v8u*>(y + (j + k) * m + i) = (v8u)__builtin_shufflevector(r[k], r[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
                *reinterpret_cast<v8u*>(y + (j + k + 4) * m + i) = (v8u)__builtin_shufflevector(r[k], r[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
            }
        }
}

}
}   // namespace hand
