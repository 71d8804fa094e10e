// SPDX-License-Identifier: MIT
// Twelve layers of 64, tanh, mean squared error to a target, gradient descent, batch 32: one hand-written training step.
#pragma once

#include "gemm.hpp"
#include "rules.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

/// h[l + 1] = tanh(h[l] w[l] + b[l]), l = 0 ... 11; loss = mean over all 32 x 64 elements of (h[12] - y)^2.
/// The batch is the lanes ([feature][32]): neither product needs a transposed matrix, only the gradient of each layer's output is
/// transposed.
class deep_tanh {
public:
    static constexpr int layers = 12, n = 64, batch = 32, batches = 8;
    float rate = 0.01f;
    std::vector<std::vector<float>> w;   // initial values, [layer][64 * 64] row-major; biases start at 0

    deep_tanh() : x_(batches * batch * n), y_(batches * batch * n), wb_(layers * (n * n + n)), h_((layers + 1) * n * batch) {
        for (int l = 0; l < layers; ++l) {
            w.push_back(glorot(1, std::uint64_t(l), n, n));
            std::copy(w.back().begin(), w.back().end(), matrix(l));
        }
        for (int i = 0; i < batches * batch * n; ++i) {
            x_[i] = float(2 * uniform(4, 0, std::uint64_t(i)) - 1);
            y_[i] = float(1.6 * uniform(4, 1, std::uint64_t(i)) - 0.8);
        }
    }

    float const* inputs(int i) const { return x_ + i % batches * batch * n; }
    float const* targets(int i) const { return y_ + i % batches * batch * n; }

    /// One step on [32][64] inputs and [32][64] targets; the loss before the update.
    float step(float const* x, float const* y) {
        transpose<batch, n>(x, h_);
        for (int l = 0; l < layers; ++l) {
            gemm<n, V, V, n, 1, n, batch, 0>(matrix(l), h_ + l * n * batch, forward{h_ + (l + 1) * n * batch, matrix(l) + n * n});
            tanh_all(h_ + (l + 1) * n * batch);
        }
        float const loss = head(y);
        for (int l = layers - 1; l >= 0; --l) {
            float* const h = h_ + l * n * batch;
            if (l < layers - 1) transpose<n, batch>(dt_, d_);
            if (l > 0) gemm<n, V, V, n, n, 1, batch, 0>(matrix(l), dt_, backward{next_, h});
            gemm<n, n / wf, C, batch, batch, 1, n, C * wf>(h, d_, descend{matrix(l), rate});
            bias(matrix(l) + n * n);
            std::swap(dt_, next_);
        }
        return loss;
    }

    /// Parameters now: of each layer w [64][64] row-major, then b [64].
    std::vector<float> parameters() const { return {wb_.data(), wb_.data() + layers * (n * n + n)}; }

private:
    static constexpr int V = batch / wf, C = wf == 16 ? 4 : 2;
    float* matrix(int l) { return wb_ + l * (n * n + n); }

    struct forward {
        float *h, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(h + r * batch + c, v + set1<vf>(b[r])); }
    };
    struct backward {
        float *d, *h;
        HAND_INLINE void operator()(int r, int c, vf v) const {
            vf const t = loadf(h + r * batch + c);
            store<vf>(d + r * batch + c, v * fnma(t, t, set1<vf>(1)));
        }
    };
    struct descend {
        float* w;
        float rate;
        HAND_INLINE void operator()(int r, int c, vf g) const { store<vf>(w + r * n + c, fnma(set1<vf>(rate), g, loadf(w + r * n + c))); }
    };
    [[gnu::noinline]] static void tanh_all(float* h) {
#pragma GCC unroll 4
        for (int i = 0; i < n * batch; i += wf) store<vf>(h + i, tanh(loadf(h + i)));
    }
    /// The last layer's output is taken in rows: loss and its gradient as [32][64] and as [64][32].
    [[gnu::noinline]] float head(float const* y) {
        transpose<n, batch>(h_ + layers * n * batch, d_);
        vf loss[4]{}, scale = set1<vf>(2.0f / (n * batch)), one = set1<vf>(1);
        for (int i = 0; i < n * batch; i += 4 * wf) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                float* const p = d_ + i + j * wf;
                vf const h = loadf(p), e = h - loadf(y + i + j * wf);
                loss[j] = fma(e, e, loss[j]);
                store<vf>(p, e * scale * fnma(h, h, one));
            }
        }
        transpose<batch, n>(d_, dt_);
        return hsum((loss[0] + loss[1]) + (loss[2] + loss[3])) / (n * batch);
    }
    [[gnu::noinline]] void bias(float* b) {
        for (int c = 0; c < n; c += wf) {
            vf s[4]{};
            for (int r = 0; r < batch; r += 4) {
#pragma GCC unroll 4
                for (int j = 0; j < 4; ++j) s[j] += loadf(d_ + (r + j) * n + c);
            }
            store<vf>(b + c, fnma(set1<vf>(rate), (s[0] + s[1]) + (s[2] + s[3]), loadf(b + c)));
        }
    }

    buffer<float> x_, y_, wb_, h_, d_{n * batch}, one_{n * batch}, two_{n * batch};
    float *dt_ = one_, *next_ = two_;
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
