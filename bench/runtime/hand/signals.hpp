// SPDX-License-Identifier: MIT
// Hand-written: convolutions of rows, cosine transforms, and systems of tridiagonal and banded matrices.
#pragma once

#include "matrices.hpp"
#include "vec.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace hand {
inline namespace HAND_NAMESPACE {

/// y[i] = Σ_j x[i + j] w[j] for count results: four registers of results at a time.
HAND_INLINE void slide(float const* x, float const* w, float* y, int taps, int count) {
    int i = 0;
    for (; i + 4 * wf <= count; i += 4 * wf) {
        vf sum[4]{};
        for (int j = 0; j < taps; ++j) {
            vf const by = set1<vf>(w[j]);
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) sum[k] = fma(load<vf>(x + i + j + k * wf), by, sum[k]);
        }
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) store<vf>(y + i + k * wf, sum[k]);
    }
    for (; i < count; ++i) {
        float sum = 0;
        for (int j = 0; j < taps; ++j) sum += x[i + j] * w[j];
        y[i] = sum;
    }
}
/// The results that need no element outside, of m rows of n.
[[gnu::noinline]] inline void correlate_rows(float const* x, float const* w, float* y, int m, int n, int taps) {
    for (int r = 0; r < m; ++r) slide(x + r * n, w, y + r * (n - taps + 1), taps, n - taps + 1);
}
/// All n + taps − 1 results. `turned` has room for the taps, `padded` for a row and the zeros around it.
[[gnu::noinline]] inline void convolve_rows(
    float const* x, float const* v, float* y, float* turned, float* padded, int m, int n, int taps) {
    for (int j = 0; j < taps; ++j) turned[j] = v[taps - 1 - j];
    std::memset(padded, 0, sizeof(float) * std::size_t(n + 2 * (taps - 1)));
    for (int r = 0; r < m; ++r) {
        std::memcpy(padded + taps - 1, x + r * n, sizeof(float) * std::size_t(n));
        slide(padded, turned, y + r * (n + taps - 1), taps, n + taps - 1);
    }
}

/// The cosine transform of N numbers, of type 2: a transform of N / 2 complex numbers (Makhoul 1980).
template<int N>
class cosine {
    fourier<N / 2> inner_;
    alignas(64) float re_[N / 2]{}, im_[N / 2]{}, u_[N / 2 + 1]{}, v_[N / 2 + 1]{}, wr_[N / 2 + 1]{}, wi_[N / 2 + 1]{}, cr_[N]{}, ci_[N]{};

public:
    cosine() {
        for (int k = 0; k <= N / 2; ++k) {
            wr_[k] = float(std::cos(2 * std::numbers::pi * k / N));
            wi_[k] = float(-std::sin(2 * std::numbers::pi * k / N));
        }
        for (int k = 0; k < N; ++k) {
            cr_[k] = float(std::cos(std::numbers::pi * k / (2 * N)));
            ci_[k] = float(-std::sin(std::numbers::pi * k / (2 * N)));
        }
    }
    [[gnu::noinline]] void run(float const* x, float* y) {
        // the even elements, then the odd ones backwards; two neighbours are one complex number
        for (int j = 0; j < N / 4; ++j) {
            re_[j] = x[4 * j];
            im_[j] = x[4 * j + 2];
            re_[N / 2 - 1 - j] = x[4 * j + 3];
            im_[N / 2 - 1 - j] = x[4 * j + 1];
        }
        inner_.run(re_, im_, u_, v_);
        u_[N / 2] = u_[0];
        v_[N / 2] = v_[0];
        HAND_INDEPENDENT
        for (int k = 0; k <= N / 2; ++k) {
            float const ar = u_[k], ai = v_[k], br = u_[N / 2 - k], bi = -v_[N / 2 - k];
            float const er = ar + br, ei = ai + bi, dr = ai - bi, di = br - ar;   // of the even and the odd elements, twice
            float const re = er + dr * wr_[k] - di * wi_[k], im = ei + dr * wi_[k] + di * wr_[k];
            y[k] = re * cr_[k] - im * ci_[k];
            if (k > 0) y[N - k] = re * cr_[N - k] + im * ci_[N - k];
        }
    }
};

/// Tridiagonal systems with partial pivoting, one column each: diagonals [count, 3, n]. The quotients of the pivots are formed once.
[[gnu::noinline]] inline void tridiagonal_systems(float const* diagonals, float const* b, float* x, float* work, int count, int n) {
    float *const scale = work, *const next = work + n, *const second = work + 2 * n;
    for (int p = 0; p < count; ++p, diagonals += 3 * n, b += n, x += n) {
        float const *const above = diagonals, *const main = diagonals + n, *const below = diagonals + 2 * n;
        float pivot = main[0], over = above[0], right = b[0];
        for (int i = 0; i + 1 < n; ++i) {
            float const low = below[i + 1], own = main[i + 1], far = i + 2 < n ? above[i + 1] : 0;
            if (std::abs(pivot) >= std::abs(low)) {
                float const by = 1 / pivot, factor = low * by;
                scale[i] = by;
                next[i] = over;
                second[i] = 0;
                x[i] = right;
                pivot = own - factor * over;
                over = far;
                right = b[i + 1] - factor * right;
            } else {
                float const by = 1 / low, factor = pivot * by;
                scale[i] = by;
                next[i] = own;
                second[i] = far;
                x[i] = b[i + 1];
                pivot = over - factor * own;
                over = -factor * far;
                right = right - factor * b[i + 1];
            }
        }
        x[n - 1] = right / pivot;
        if (n > 1) x[n - 2] = (x[n - 2] - next[n - 2] * x[n - 1]) * scale[n - 2];
        for (int i = n - 3; i >= 0; --i) x[i] = (x[i] - second[i] * x[i + 2] - next[i] * x[i + 1]) * scale[i];
    }
}
/// Products of tridiagonal matrices with one column each.
[[gnu::noinline]] inline void tridiagonal_products(
    float const* __restrict diagonals, float const* __restrict x, float* __restrict y, int count, int n) {
    for (int p = 0; p < count; ++p, diagonals += 3 * n, x += n, y += n) {
        float const *const above = diagonals, *const main = diagonals + n, *const below = diagonals + 2 * n;
        y[0] = main[0] * x[0] + above[0] * x[1];
        for (int i = 1; i + 1 < n; ++i) y[i] = below[i] * x[i - 1] + main[i] * x[i] + above[i] * x[i + 1];
        y[n - 1] = below[n - 1] * x[n - 2] + main[n - 1] * x[n - 1];
    }
}
/// Systems of lower triangular matrices with Bands bands [count, Bands, n], the diagonal first.
template<int Bands>
[[gnu::noinline]] void banded_systems(float const* bands, float const* b, float* x, int count, int n) {
    for (int p = 0; p < count; ++p, bands += Bands * n, b += n, x += n)
        for (int i = 0; i < n; ++i) {
            float sum = b[i];
            for (int r = Bands - 1; r > 0; --r)
                if (r <= i) sum -= bands[r * n + i] * x[i - r];
            x[i] = sum / bands[i];
        }
}

}
}   // namespace hand
