// SPDX-License-Identifier: MIT
// Layer normalization, and batch normalization with relu, forward and backward, hand-written. As in a network, the backward loops
// run after the forward ones, and read what those stored.
#pragma once

#include "vec.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hand {
inline namespace HAND_NAMESPACE {

/// y = ŷ gamma + beta of Rows rows, and the gradients of Σ g y.
template<int Rows, int Features>
struct layer_norm {
    static constexpr int N = Features / wf;
    static_assert(Features % wf == 0);
    std::vector<float> y = std::vector<float>(std::size_t(Rows * Features)), dx = y, mean = std::vector<float>(std::size_t(Rows)),
                       inverse = mean, dgamma = std::vector<float>(std::size_t(Features)), dbeta = dgamma;

    [[gnu::noinline]] void forward(float const* x, float const* gamma, float const* beta, float epsilon) {
        for (int r = 0; r < Rows; ++r) {
            float const* const a = x + r * Features;
            vf s[4] = {};
            for (int i = 0; i < N; ++i) s[i % 4] += loadf(a + i * wf);
            float const m = hsum((s[0] + s[1]) + (s[2] + s[3])) / Features;
            vf const vm = set1<vf>(m);
            vf q[4] = {};
            for (int i = 0; i < N; ++i) {
                vf const d = loadf(a + i * wf) - vm;
                q[i % 4] = fma(d, d, q[i % 4]);
            }
            float const inv = 1 / std::sqrt(hsum((q[0] + q[1]) + (q[2] + q[3])) / Features + epsilon);
            mean[std::size_t(r)] = m;
            inverse[std::size_t(r)] = inv;
            vf const scale = set1<vf>(inv);
            for (int i = 0; i < N; ++i) {
                vf const normal = (loadf(a + i * wf) - vm) * scale;
                store(&y[std::size_t(r * Features + i * wf)], fma(normal, loadf(gamma + i * wf), loadf(beta + i * wf)));
            }
        }
    }
    [[gnu::noinline]] void backward(float const* x, float const* gamma, float const* g) {
        std::fill(dgamma.begin(), dgamma.end(), 0.f);
        std::fill(dbeta.begin(), dbeta.end(), 0.f);
        for (int r = 0; r < Rows; ++r) {
            float const *const a = x + r * Features, *const b = g + r * Features;
            vf const vm = set1<vf>(mean[std::size_t(r)]), scale = set1<vf>(inverse[std::size_t(r)]);
            vf s[2] = {}, t[2] = {};
            for (int i = 0; i < N; ++i) {
                vf const normal = (loadf(a + i * wf) - vm) * scale, gi = loadf(b + i * wf), h = gi * loadf(gamma + i * wf);
                s[i % 2] += h;
                t[i % 2] = fma(h, normal, t[i % 2]);
                float *const of_gamma = &dgamma[std::size_t(i * wf)], *const of_beta = &dbeta[std::size_t(i * wf)];
                store(of_gamma, fma(gi, normal, loadf(of_gamma)));
                store(of_beta, gi + loadf(of_beta));
            }
            vf const mean_h = set1<vf>(hsum(s[0] + s[1]) / Features), mean_hy = set1<vf>(hsum(t[0] + t[1]) / Features);
            for (int i = 0; i < N; ++i) {
                vf const normal = (loadf(a + i * wf) - vm) * scale, h = loadf(b + i * wf) * loadf(gamma + i * wf);
                store(&dx[std::size_t(r * Features + i * wf)], (h - fma(normal, mean_hy, mean_h)) * scale);
            }
        }
    }
};

/// y = relu(ŷ gamma + beta) with the statistics of all rows, and the gradients of Σ g y.
template<int Rows, int Channels>
struct batch_norm_relu {
    static constexpr int N = Channels / wf;
    static_assert(Channels % wf == 0 && Rows % 2 == 0);
    std::vector<float> y = std::vector<float>(std::size_t(Rows * Channels)), dx = y, mean = std::vector<float>(std::size_t(Channels)),
                       inverse = mean, dgamma = mean, dbeta = mean;

    [[gnu::noinline]] void forward(float const* x, float const* gamma, float const* beta, float epsilon) {
        vf s[2][N] = {}, q[2][N] = {}, factor[N], summand[N];
        for (int r = 0; r < Rows; r += 2)
            for (int k = 0; k < 2; ++k)
                for (int i = 0; i < N; ++i) s[k][i] += loadf(x + (r + k) * Channels + i * wf);
        for (int i = 0; i < N; ++i) s[0][i] = (s[0][i] + s[1][i]) * (1.f / Rows);
        for (int r = 0; r < Rows; r += 2)
            for (int k = 0; k < 2; ++k)
                for (int i = 0; i < N; ++i) {
                    vf const d = loadf(x + (r + k) * Channels + i * wf) - s[0][i];
                    q[k][i] = fma(d, d, q[k][i]);
                }
        for (int i = 0; i < N; ++i) {
            vf const inv = 1.f / sqrt((q[0][i] + q[1][i]) * (1.f / Rows) + epsilon);
            store(&mean[std::size_t(i * wf)], s[0][i]);
            store(&inverse[std::size_t(i * wf)], inv);
            factor[i] = inv * loadf(gamma + i * wf);
            summand[i] = loadf(beta + i * wf) - s[0][i] * factor[i];
        }
        for (int r = 0; r < Rows; ++r)
            for (int i = 0; i < N; ++i) {
                std::size_t const at = std::size_t(r * Channels + i * wf);
                store(&y[at], max(fma(loadf(x + at), factor[i], summand[i]), vf{}));
            }
    }
    [[gnu::noinline]] void backward(float const* x, float const* gamma, float const* g) {
        vf s[N] = {}, t[N] = {}, m[N], inv[N];
        for (int i = 0; i < N; ++i) {
            m[i] = loadf(&mean[std::size_t(i * wf)]);
            inv[i] = loadf(&inverse[std::size_t(i * wf)]);
        }
        for (int r = 0; r < Rows; ++r)
            for (int i = 0; i < N; ++i) {
                std::size_t const at = std::size_t(r * Channels + i * wf);
                vf const h = where_positive(loadf(&y[at]), loadf(g + at));
                s[i] += h;
                t[i] = fma(h, loadf(x + at) - m[i], t[i]);
            }
        vf factor[N], of_x[N], rest[N];
        for (int i = 0; i < N; ++i) {
            vf const sum_hy = t[i] * inv[i];
            store(&dgamma[std::size_t(i * wf)], sum_hy);
            store(&dbeta[std::size_t(i * wf)], s[i]);
            factor[i] = loadf(gamma + i * wf) * inv[i];
            of_x[i] = -factor[i] * inv[i] * sum_hy * (1.f / Rows);
            rest[i] = -factor[i] * s[i] * (1.f / Rows) - of_x[i] * m[i];
        }
        for (int r = 0; r < Rows; ++r)
            for (int i = 0; i < N; ++i) {
                std::size_t const at = std::size_t(r * Channels + i * wf);
                vf const h = where_positive(loadf(&y[at]), loadf(g + at));
                store(&dx[at], fma(h, factor[i], fma(loadf(x + at), of_x[i], rest[i])));
            }
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
