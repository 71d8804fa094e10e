// SPDX-License-Identifier: MIT
// Register-blocked matrix products with every extent known to the compiler, and transposition in registers.
#pragma once

#include "vec.hpp"

#include <cstddef>

namespace hand {
inline namespace HAND_NAMESPACE {

/// Rows of a register tile with `columns` vectors: as many as the registers hold without spilling.
constexpr int tile_rows(int columns) {
#if HAND_BYTES == 64
    return columns == 1 ? 16 : columns == 2 ? 13 : columns == 3 ? 8 : columns == 4 ? 6 : columns <= 6 ? 4 : 3;
#else
    return columns == 1 ? 8 : columns == 2 ? 6 : columns == 3 ? 4 : columns == 4 ? 2 : 1;
#endif
}

/// One tile: C[r][c] = sum over k of A[r * ar + k * ak] * B[k * bk + c], c counted in vectors; put(row, c, vector) takes the
/// results.
template<int R, int C, int K, int AR, int AK, int BK, class Put>
HAND_INLINE void tile(float const* __restrict a, float const* __restrict b, int row, int column, Put const& put) {
    vf acc[R][C];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) acc[r][c] = vf{};
    }
#pragma GCC unroll 2
    for (int k = 0; k < K; ++k) {
        vf bv[C];
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) bv[c] = loadf(b + k * BK + c * wf);
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
            vf const av = set1<vf>(a[r * AR + k * AK]);
#pragma GCC unroll 8
            for (int c = 0; c < C; ++c) acc[r][c] = fma(av, bv[c], acc[r][c]);
        }
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) put(row + r, column + c * wf, acc[r][c]);
    }
}

template<int M, int C, int K, int AR, int AK, int BK, class Put>
HAND_INLINE void panel(float const* a, float const* b, int column, Put const& put) {
    constexpr int tiles = (M + tile_rows(C) - 1) / tile_rows(C), R = (M + tiles - 1) / tiles, whole = M / R * R;
    for (int r = 0; r < whole; r += R) tile<R, C, K, AR, AK, BK>(a + r * AR, b, r, column, put);
    if constexpr (whole < M) tile<M - whole, C, K, AR, AK, BK>(a + whole * AR, b, whole, column, put);
}

/// M rows times NV vectors, C vectors at a time; PANEL = distance of two column groups in B (C * wf when B is row-major).
template<int M, int NV, int C, int K, int AR, int AK, int BK, int PANEL, class Put>
[[gnu::noinline]] void gemm(float const* a, float const* b, Put put) {
    constexpr int whole = NV / C * C;
    for (int c = 0; c < whole; c += C) panel<M, C, K, AR, AK, BK>(a, b + c / C * PANEL, c * wf, put);
    if constexpr (whole < NV) panel<M, NV - whole, K, AR, AK, BK>(a, b + whole / C * PANEL, whole * wf, put);
}

/// The first halves of two vectors, lane by lane in turn; the second ones.
template<class V>
HAND_INLINE V low_lanes(V u, V v) {
    if constexpr (lanes<V> == 16) return __builtin_shufflevector(u, v, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    else if constexpr (lanes<V> == 8) return __builtin_shufflevector(u, v, 0, 8, 1, 9, 2, 10, 3, 11);
    else if constexpr (lanes<V> == 4) return __builtin_shufflevector(u, v, 0, 4, 1, 5);
    else return __builtin_shufflevector(u, v, 0, 2);
}
template<class V>
HAND_INLINE V high_lanes(V u, V v) {
    if constexpr (lanes<V> == 16) return __builtin_shufflevector(u, v, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    else if constexpr (lanes<V> == 8) return __builtin_shufflevector(u, v, 4, 12, 5, 13, 6, 14, 7, 15);
    else if constexpr (lanes<V> == 4) return __builtin_shufflevector(u, v, 2, 6, 3, 7);
    else return __builtin_shufflevector(u, v, 1, 3);
}
/// out[j * os + i] = in[i * is + j] for a square block of as many rows as a vector has lanes.
template<class V = vf>
HAND_INLINE void transpose_block(scalar_t<V> const* in, std::ptrdiff_t is, scalar_t<V>* out, std::ptrdiff_t os) {
    constexpr int n = lanes<V>;
    V x[n], y[n];
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) x[i] = load<V>(in + i * is);
    auto round = [](V const(&p)[n], V(&q)[n]) {
#pragma GCC unroll 8
        for (int i = 0; i < n / 2; ++i) {
            q[2 * i] = low_lanes(p[i], p[i + n / 2]);
            q[2 * i + 1] = high_lanes(p[i], p[i + n / 2]);
        }
    };
    round(x, y);
    if constexpr (n >= 4) round(y, x);
    if constexpr (n >= 8) round(x, y);
    if constexpr (n >= 16) round(y, x);
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) store<V>(out + i * os, n == 8 || n == 2 ? y[i] : x[i]);
}

/// out[C][R] = in[R][C] transposed, R and C multiples of wf.
template<int R, int C>
[[gnu::noinline]] inline void transpose(float const* in, float* out, int is = C, int os = R) {
    for (int r = 0; r < R; r += wf)
        for (int c = 0; c < C; c += wf) transpose_block(in + r * is + c, is, out + c * os + r, os);
}

/// The sums of the wf vectors of a block [wf][wf], as one vector.
HAND_INLINE vf sum_rows(float const* in) {
    vf a[wf];
#pragma GCC unroll 16
    for (int i = 0; i < wf; ++i) a[i] = loadf(in + i * wf);
    return sums(a);
}

constexpr int padded(int n) { return (n + wf - 1) / wf * wf; }

}   // namespace HAND_NAMESPACE
}   // namespace hand
