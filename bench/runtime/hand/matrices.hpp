// SPDX-License-Identifier: MIT
// Hand-written: products of stacks of small matrices by register tiles, a Cholesky factorization, and transforms of Fourier.
#pragma once

#include "vec.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <type_traits>

namespace hand {
inline namespace HAND_NAMESPACE {

/// c [M, N] = a b with a [M, K] and b [K, N]. a is at a[i * row + k * step].
template<int M, int N, int K>
HAND_INLINE void product(float const* a, int row, int step, float const* b, float* c) {
    using V = std::conditional_t<N % wf == 0, vf, vh>;
    constexpr int w = lanes<V>, batches = N >= 2 * w ? 2 : 1, rows = 4;
    static_assert(M % rows == 0 && N % (batches * w) == 0);
    for (int i = 0; i < M; i += rows)
        for (int j = 0; j < N; j += batches * w) {
            V sum[rows][batches]{};
            for (int k = 0; k < K; ++k)
#pragma GCC unroll 4
                for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
                    for (int n = 0; n < batches; ++n)
                        sum[r][n] = fma(set1<V>(a[(i + r) * row + k * step]), load<V>(b + k * N + j + n * w), sum[r][n]);
#pragma GCC unroll 4
            for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
                for (int n = 0; n < batches; ++n) store<V>(c + (i + r) * N + j + n * w, sum[r][n]);
        }
}
template<int M, int N>
HAND_INLINE void transposed(float const* __restrict from, float* __restrict to) {   // [M, N] to [N, M]
    for (int j = 0; j < N; j += 8)
        for (int i = 0; i < M; ++i)
#pragma GCC unroll 8
            for (int k = 0; k < 8; ++k) to[(j + k) * M + i] = from[i * N + j + k];
}
template<int N>
[[gnu::noinline]] void products(float const* a, float const* b, float* c, int count) {
    for (int p = 0; p < count; ++p) product<N, N, N>(a + p * N * N, N, 1, b + p * N * N, c + p * N * N);
}
/// a bᵀ for a [M, K] and b [N, K].
template<int M, int N, int K>
[[gnu::noinline]] void products_of_rows(float const* a, float const* b, float* c, int count) {
    alignas(64) float turned[K * N];
    for (int p = 0; p < count; ++p) {
        transposed<N, K>(b + p * N * K, turned);
        product<M, N, K>(a + p * M * K, K, 1, turned, c + p * M * N);
    }
}
/// The gradients of the sum of w times the products: w bᵀ and aᵀ w.
template<int N>
[[gnu::noinline]] void product_gradients(float const* a, float const* b, float const* w, float* ga, float* gb, int count) {
    alignas(64) float turned[N * N];
    for (int p = 0; p < count; ++p) {
        int const at = p * N * N;
        transposed<N, N>(b + at, turned);
        product<N, N, N>(w + at, N, 1, turned, ga + at);
        product<N, N, N>(a + at, 1, N, w + at, gb + at);
    }
}

/// The lower factor of a symmetric matrix of N rows, by the rows of the upper one.
template<int N>
[[gnu::noinline]] void cholesky(float const* a, float* l, int count) {
    alignas(64) static float u[N * N];
    for (int p = 0; p < count; ++p, a += N * N, l += N * N) {
        for (int i = 0; i < N; ++i)
            for (int j = i; j < N; ++j) u[i * N + j] = a[i * N + j];
        for (int k = 0; k < N; ++k) {
            float* __restrict const top = u + k * N;
            float const root = std::sqrt(top[k]), scale = 1 / root;
            for (int j = k; j < N; ++j) top[j] *= scale;
            for (int i = k + 1; i < N; ++i) {
                float* __restrict const row = u + i * N;
                float const s = top[i];
                for (int j = i / 8 * 8; j < N; ++j) row[j] -= s * top[j];   // whole registers: elements left of the diagonal are not read
            }
        }
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) l[i * N + j] = j <= i ? u[j * N + i] : 0;
    }
}

/// The transform of N complex numbers, N a power of two: Stockham's passes of radix 4, and one of radix 2 if needed.
template<int N>
class fourier {
    static constexpr int passes = [] {
        int p = 0;
        for (int n = N; n > 1; n /= 4) ++p;
        return p;
    }();
    alignas(64) float re_[2][N]{}, im_[2][N]{};
    alignas(64) float wr_[3][N]{}, wi_[3][N]{};   // factors of each pass, one after the other

public:
    fourier() {
        int at = 0;
        for (int n = N; n >= 4; n /= 4)
            for (int p = 0; p < n / 4; ++p, ++at)
                for (int k = 1; k < 4; ++k) {
                    double const angle = -2 * std::numbers::pi * k * p / n;
                    wr_[k - 1][at] = float(std::cos(angle));
                    wi_[k - 1][at] = float(std::sin(angle));
                }
    }
    [[gnu::noinline]] void run(float const* re, float const* im, float* out_re, float* out_im) {
        int at = 0, n = N, stride = 1, from = 0;
        float const *xr = re, *xi = im;
        for (; n >= 4; n /= 4, stride *= 4) {
            bool const last = n == 4;
            float *const yr = last ? out_re : re_[from], *const yi = last ? out_im : im_[from];
            int const m = n / 4;
            if (stride == 1) first_pass(xr, xi, yr, yi, m, at);
            else
                for (int p = 0; p < m; ++p) pass(xr, xi, yr, yi, m, stride, p, at + p);
            at += m;
            xr = yr;
            xi = yi;
            from ^= 1;
        }
        if (n == 2)
            for (int q = 0; q < stride; ++q) {
                out_re[q] = xr[q] + xr[q + stride];
                out_im[q] = xi[q] + xi[q + stride];
                out_re[q + stride] = xr[q] - xr[q + stride];
                out_im[q + stride] = xi[q] - xi[q + stride];
            }
    }

private:
    void first_pass(float const* __restrict xr, float const* __restrict xi, float* __restrict yr, float* __restrict yi, int m, int at) {
        HAND_INDEPENDENT
        for (int p = 0; p < m; ++p) {
            float const ar = xr[p] + xr[p + 2 * m], ai = xi[p] + xi[p + 2 * m], br = xr[p] - xr[p + 2 * m], bi = xi[p] - xi[p + 2 * m];
            float const cr = xr[p + m] + xr[p + 3 * m], ci = xi[p + m] + xi[p + 3 * m], dr = xr[p + m] - xr[p + 3 * m],
                        di = xi[p + m] - xi[p + 3 * m];
            float const r1 = br + di, i1 = bi - dr, r2 = ar - cr, i2 = ai - ci, r3 = br - di, i3 = bi + dr;
            int const w = at + p;
            yr[4 * p] = ar + cr;
            yi[4 * p] = ai + ci;
            yr[4 * p + 1] = r1 * wr_[0][w] - i1 * wi_[0][w];
            yi[4 * p + 1] = r1 * wi_[0][w] + i1 * wr_[0][w];
            yr[4 * p + 2] = r2 * wr_[1][w] - i2 * wi_[1][w];
            yi[4 * p + 2] = r2 * wi_[1][w] + i2 * wr_[1][w];
            yr[4 * p + 3] = r3 * wr_[2][w] - i3 * wi_[2][w];
            yi[4 * p + 3] = r3 * wi_[2][w] + i3 * wr_[2][w];
        }
    }
    void pass(
        float const* __restrict xr, float const* __restrict xi, float* __restrict yr, float* __restrict yi, int m, int s, int p, int w) {
        float const w1r = wr_[0][w], w1i = wi_[0][w], w2r = wr_[1][w], w2i = wi_[1][w], w3r = wr_[2][w], w3i = wi_[2][w];
        xr += s * p;
        xi += s * p;
        yr += 4 * s * p;
        yi += 4 * s * p;
        int const t = s * m;
        HAND_INDEPENDENT
        for (int q = 0; q < s; ++q) {
            float const ar = xr[q] + xr[q + 2 * t], ai = xi[q] + xi[q + 2 * t], br = xr[q] - xr[q + 2 * t], bi = xi[q] - xi[q + 2 * t];
            float const cr = xr[q + t] + xr[q + 3 * t], ci = xi[q + t] + xi[q + 3 * t], dr = xr[q + t] - xr[q + 3 * t],
                        di = xi[q + t] - xi[q + 3 * t];
            float const r1 = br + di, i1 = bi - dr, r2 = ar - cr, i2 = ai - ci, r3 = br - di, i3 = bi + dr;
            yr[q] = ar + cr;
            yi[q] = ai + ci;
            yr[q + s] = r1 * w1r - i1 * w1i;
            yi[q + s] = r1 * w1i + i1 * w1r;
            yr[q + 2 * s] = r2 * w2r - i2 * w2i;
            yi[q + 2 * s] = r2 * w2i + i2 * w2r;
            yr[q + 3 * s] = r3 * w3r - i3 * w3i;
            yi[q + 3 * s] = r3 * w3i + i3 * w3r;
        }
    }
};

}
}   // namespace hand
