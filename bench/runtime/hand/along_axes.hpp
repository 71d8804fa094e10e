// SPDX-License-Identifier: MIT
// Hand-written: sums so far, extrema, order and moments along the axes of a matrix of floats [m, n].
#pragma once

#include "vec.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace hand {
inline namespace HAND_NAMESPACE {

using eight = float __attribute__((vector_size(32)));
using eight_unaligned = float __attribute__((vector_size(32), aligned(4), may_alias));
using four_doubles = double __attribute__((vector_size(32)));
using four_floats = float __attribute__((vector_size(16)));
HAND_INLINE eight load8(float const* p) { return (eight) * reinterpret_cast<eight_unaligned const*>(p); }
HAND_INLINE void store8(float* p, eight v) { *reinterpret_cast<eight_unaligned*>(p) = (eight_unaligned)v; }
HAND_INLINE eight larger(eight a, eight b) { return a > b ? a : b; }

/// The sums so far of eight numbers in a register, and of the rows in double.
[[gnu::noinline]] inline void cumsum_rows(float const* x, float* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n, y += n) {
        double so_far = 0;
        int j = 0;
        for (; j + 8 <= n; j += 8) {
            eight v = load8(x + j);
            eight const none{};
            v += __builtin_shufflevector(v, none, 8, 0, 1, 2, 3, 4, 5, 6);
            v += __builtin_shufflevector(v, none, 8, 8, 0, 1, 2, 3, 4, 5);
            v += __builtin_shufflevector(v, none, 8, 8, 8, 8, 0, 1, 2, 3);
            auto const low = __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1, 2, 3), four_doubles) + so_far;
            auto const high = __builtin_convertvector(__builtin_shufflevector(v, v, 4, 5, 6, 7), four_doubles) + so_far;
            so_far = high[3];
            auto const a = __builtin_convertvector(low, four_floats), b = __builtin_convertvector(high, four_floats);
            store8(y + j, __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
        }
        for (; j < n; ++j) y[j] = float(so_far += x[j]);
    }
}
/// x becomes 2 x w, and the sum of x² w is returned.
[[gnu::noinline]] inline float weighted_squares(float* __restrict x, float const* __restrict w, int n) {
    vf sum{}, more{};
    int j = 0;
    for (; j + 2 * wf <= n; j += 2 * wf) {
        vf const a = load<vf>(x + j), b = load<vf>(x + j + wf), p = a * load<vf>(w + j), q = b * load<vf>(w + j + wf);
        sum = fma(a, p, sum);
        more = fma(b, q, more);
        store<vf>(x + j, p + p);
        store<vf>(x + j + wf, q + q);
    }
    sum += more;
    float s = 0;
    for (int k = 0; k < wf; ++k) s += sum[k];
    for (; j < n; ++j) {
        float const p = x[j] * w[j];
        s += x[j] * p;
        x[j] = p + p;
    }
    return s;
}
[[gnu::noinline]] inline void cumsum_row_from_end(float const* x, float* y, int n) {
    double so_far = 0;
    int j = n;
    for (; j >= 8; j -= 8) {
        eight v = load8(x + j - 8);
        eight const none{};
        v += __builtin_shufflevector(v, none, 1, 2, 3, 4, 5, 6, 7, 8);
        v += __builtin_shufflevector(v, none, 2, 3, 4, 5, 6, 7, 8, 8);
        v += __builtin_shufflevector(v, none, 4, 5, 6, 7, 8, 8, 8, 8);
        auto const low = __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1, 2, 3), four_doubles) + so_far;
        auto const high = __builtin_convertvector(__builtin_shufflevector(v, v, 4, 5, 6, 7), four_doubles) + so_far;
        so_far = low[0];
        auto const a = __builtin_convertvector(low, four_floats), b = __builtin_convertvector(high, four_floats);
        store8(y + j - 8, __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
    }
    for (; j > 0; --j) y[j - 1] = float(so_far += x[j - 1]);
}
[[gnu::noinline]] inline void cumsum_columns(float const* __restrict x, float* __restrict y, int m, int n) {
    for (int j = 0; j < n; ++j) y[j] = x[j];
    for (int i = 1; i < m; ++i) {
        float const* const __restrict before = y + (i - 1) * n, * const __restrict from = x + i * n;
        float* const __restrict to = y + i * n;
        for (int j = 0; j < n; ++j) to[j] = before[j] + from[j];
    }
}
[[gnu::noinline]] inline void cummax_rows(float const* x, float* y, int m, int n) {
    constexpr float none = -std::numeric_limits<float>::infinity();
    eight const lowest = none - eight{};
    for (int i = 0; i < m; ++i, x += n, y += n) {
        eight so_far = lowest;
        int j = 0;
        for (; j + 8 <= n; j += 8) {
            eight v = load8(x + j);
            v = larger(v, __builtin_shufflevector(v, lowest, 8, 0, 1, 2, 3, 4, 5, 6));
            v = larger(v, __builtin_shufflevector(v, lowest, 8, 8, 0, 1, 2, 3, 4, 5));
            v = larger(v, __builtin_shufflevector(v, lowest, 8, 8, 8, 8, 0, 1, 2, 3));
            v = larger(v, so_far);
            store8(y + j, v);
            so_far = __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
        }
        for (float best = so_far[0]; j < n; ++j) y[j] = best = x[j] > best ? x[j] : best;
    }
}
[[gnu::noinline]] inline void cummax_columns(float const* __restrict x, float* __restrict y, int m, int n) {
    for (int j = 0; j < n; ++j) y[j] = x[j];
    for (int i = 1; i < m; ++i) {
        float const* const __restrict before = y + (i - 1) * n, * const __restrict from = x + i * n;
        float* const __restrict to = y + i * n;
        for (int j = 0; j < n; ++j) to[j] = before[j] > from[j] ? before[j] : from[j];
    }
}
[[gnu::noinline]] inline void log_sum_exps_so_far(float const* x, float* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n, y += n) {
        double largest = double(x[0]), sum = 1;
        y[0] = x[0];
        for (int j = 1; j < n; ++j) {
            double const v = double(x[j]), e = std::exp(-std::abs(v - largest));
            sum = v > largest ? sum * e + 1 : sum + e;
            largest = v > largest ? v : largest;
            y[j] = float(largest + std::log(sum));
        }
    }
}

[[gnu::noinline]] inline void sort_rows(float const* x, float* y, int m, int n) {
    std::memcpy(y, x, sizeof(float) * std::size_t(m) * std::size_t(n));
    for (int i = 0; i < m; ++i) std::sort(y + i * n, y + (i + 1) * n);
}
[[gnu::noinline]] inline void argsort_rows(float const* x, std::int32_t* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n, y += n) {
        for (int j = 0; j < n; ++j) y[j] = j;
        std::sort(y, y + n, [&](std::int32_t a, std::int32_t b) { return x[a] < x[b] || (x[a] == x[b] && a < b); });
    }
}
/// The k largest of each row, in order: most elements are only compared with the smallest of them.
template<int K>
[[gnu::noinline]] void top_rows(float const* x, float* values, std::int32_t* places, int m, int n) {
    for (int i = 0; i < m; ++i, x += n, values += K, places += K) {
        int have = 0;
        for (int j = 0; j < n; ++j) {
            if (have == K && !(x[j] > values[K - 1])) continue;
            int at = have < K ? have++ : K - 1;
            for (; at > 0 && x[j] > values[at - 1]; --at) {
                values[at] = values[at - 1];
                places[at] = places[at - 1];
            }
            values[at] = x[j];
            places[at] = j;
        }
    }
}
[[gnu::noinline]] inline void quantile_rows(float const* x, float* y, float* work, double q, int m, int n) {
    for (int i = 0; i < m; ++i, x += n) {
        std::memcpy(work, x, sizeof(float) * std::size_t(n));
        double const place = q * (n - 1);
        int const k = int(place);
        std::nth_element(work, work + k, work + n);
        float const low = work[k], high = k + 1 < n ? *std::min_element(work + k + 1, work + n) : low;
        y[i] = low + float(place - k) * (high - low);
    }
}
[[gnu::noinline]] inline void argmax_rows(float const* x, std::int32_t* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n) {
        vf best[4];
        for (vf& b : best) b = set1<vf>(x[0]);
        int j = 0;
        for (; j + 4 * wf <= n; j += 4 * wf)
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) best[k] = max(load<vf>(x + j + k * wf), best[k]);
        vf const all = max(max(best[0], best[1]), max(best[2], best[3]));
        float most = all[0];
        for (int k = 1; k < wf; ++k) most = all[k] > most ? all[k] : most;
        for (; j < n; ++j) most = x[j] > most ? x[j] : most;
        int at = 0;
        for (bool found = false; at + wf <= n; at += wf) {
            vi const equal = load<vf>(x + at) == most;
            std::int32_t any = 0;
            for (int k = 0; k < wf; ++k) any |= equal[k];
            found = any != 0;
            if (found) break;
        }
        while (x[at] != most) ++at;
        y[i] = at;
    }
}
[[gnu::noinline]] inline void argmax_columns(float const* __restrict x, std::int32_t* __restrict y, float* __restrict best, int m, int n) {
    for (int j = 0; j < n; ++j) {
        best[j] = x[j];
        y[j] = 0;
    }
    for (int i = 1; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            float const v = x[i * n + j], b = best[j];
            y[j] = v > b ? i : y[j];
            best[j] = v > b ? v : b;
        }
}

/// f(x, sum so far) added in four vectors.
template<class F>
HAND_INLINE float reduced(float const* x, int n, F const& f) {
    vf s[4]{};
    int j = 0;
    for (; j + 4 * wf <= n; j += 4 * wf)
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) s[k] = f(s[k], load<vf>(x + j + k * wf));
    for (; j + wf <= n; j += wf) s[0] = f(s[0], load<vf>(x + j));
    vf const all = (s[0] + s[1]) + (s[2] + s[3]);
    float sum = 0;
    for (int k = 0; k < wf; ++k) sum += all[k];
    for (; j < n; ++j) sum += f(vf{}, vf{x[j]})[0];
    return sum;
}
HAND_INLINE vf size_of(vf v) { return v > 0 ? v : -v; }
[[gnu::noinline]] inline void variance_rows(float const* x, float* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n) {
        float const mean = reduced(x, n, [](vf s, vf v) { return s + v; }) / float(n);
        y[i] = reduced(x, n, [&](vf s, vf v) { return fma(v - mean, v - mean, s); }) / float(n);
    }
}
[[gnu::noinline]] inline void variance_columns(float const* __restrict x, float* __restrict y, float* __restrict mean, int m, int n) {
    for (int j = 0; j < n; ++j) mean[j] = y[j] = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) mean[j] += x[i * n + j];
    for (int j = 0; j < n; ++j) mean[j] /= float(m);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) y[j] += (x[i * n + j] - mean[j]) * (x[i * n + j] - mean[j]);
    for (int j = 0; j < n; ++j) y[j] /= float(m);
}
[[gnu::noinline]] inline void norm_rows(float const* x, float* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n) y[i] = std::sqrt(reduced(x, n, [](vf s, vf v) { return fma(v, v, s); }));
}
[[gnu::noinline]] inline void l1_norm_rows(float const* x, float* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n) y[i] = reduced(x, n, [](vf s, vf v) { return s + size_of(v); });
}
[[gnu::noinline]] inline void max_norm_rows(float const* x, float* y, int m, int n) {
    for (int i = 0; i < m; ++i, x += n) {
        vf s[4]{};
        int j = 0;
        for (; j + 4 * wf <= n; j += 4 * wf)
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) s[k] = max(s[k], size_of(load<vf>(x + j + k * wf)));
        vf const all = max(max(s[0], s[1]), max(s[2], s[3]));
        float most = 0;
        for (int k = 0; k < wf; ++k) most = all[k] > most ? all[k] : most;
        for (; j < n; ++j) most = std::abs(x[j]) > most ? std::abs(x[j]) : most;
        y[i] = most;
    }
}

}
}   // namespace hand
