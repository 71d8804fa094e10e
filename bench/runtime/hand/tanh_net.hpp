// SPDX-License-Identifier: MIT
// 16-32-32-1, tanh, mean squared error, Adam, batch 1 or 32: one hand-written training step.
#pragma once

#include "gemm.hpp"
#include "rules.hpp"

#include <cmath>

namespace hand {
inline namespace HAND_NAMESPACE {

/// Features are lanes. All parameters are in one block (b1 b2 w3 b3 W1 W2), and so are their moments. The loss is the mean over the batch
/// of (prediction - target)^2; the prediction is linear. Batch 1 makes one pass over each matrix: input gradient, outer product and Adam
/// together.
template<int Batch>
class tanh_net {
public:
    static constexpr int in = 16, hidden = 32, batches = 8;
    std::vector<float> w1 = glorot(1, 0, in, hidden), w2 = glorot(1, 1, hidden, hidden),
                       w3 = glorot(1, 2, hidden, 1);   // biases start at 0

    tanh_net() : x_(batches * Batch * in), y_(batches * Batch + 64) {
        for (int r = 0; r < batches * Batch; ++r) {
            float s = 0;
            for (int i = 0; i < in; ++i) {
                float const u = float(2 * uniform(3, 0, std::uint64_t(r * in + i)) - 1);
                x_[r * in + i] = u;
                s += i % 2 ? u : -u * u;
            }
            y_[r] = std::sin(s) + float(uniform(3, 1, std::uint64_t(r)) - 0.5);
        }
        std::copy(w3.begin(), w3.end(), w_ + W3);
        std::copy(w1.begin(), w1.end(), w_ + W1);
        std::copy(w2.begin(), w2.end(), w_ + W2);
        transpose<hidden, hidden>(w_ + W2, w2t_);
    }

    float const* inputs(int i) const { return x_ + i % batches * Batch * in; }
    float const* targets(int i) const { return y_ + i % batches * Batch; }

    /// One step on [Batch][16] inputs and [Batch] targets; the loss before the update.
    float step(float const* x, float const* y) {
        adam_.begin();
        if constexpr (Batch == 1) return single(x, y);
        else return many(x, y);
    }

    /// Parameters now, row-major: w1 [16][32], b1, w2 [32][32], b2, w3 [32], b3.
    std::vector<float> parameters() const {
        std::vector<float> p(w_ + W1, w_ + W1 + in * hidden);
        p.insert(p.end(), w_ + B1, w_ + B1 + hidden);
        p.insert(p.end(), w_ + W2, w_ + W2 + hidden * hidden);
        p.insert(p.end(), w_ + B2, w_ + B2 + hidden);
        p.insert(p.end(), w_ + W3, w_ + W3 + hidden);
        p.push_back(w_[B3]);
        return p;
    }

private:
    static constexpr int B1 = 0, B2 = B1 + hidden, W3 = B2 + hidden, B3 = W3 + hidden, W1 = B3 + 16, W2 = W1 + in * hidden,
                         total = W2 + hidden * hidden, V = hidden / wf;

    HAND_INLINE void update(int at, vf g) { adam_.update(w_ + at, m_ + at, v_ + at, g); }

    [[gnu::noinline]] float single(float const* x, float const* y) {
        alignas(64) float h1[hidden], h2[hidden];
        layer<in>(x, W1, B1, h1);
        layer<hidden>(h1, W2, B2, h2);
        vf dot{};
#pragma GCC unroll 8
        for (int c = 0; c < V; ++c) dot = fma(loadf(h2 + c * wf), loadf(w_ + W3 + c * wf), dot);
        float const error = hsum(dot) + w_[B3] - *y, d = 2 * error;
        vf d2[V], d1[V], bias{};
        bias[0] = d;
        update(B3, bias);
        vf const dv = set1<vf>(d), one = set1<vf>(1);
#pragma GCC unroll 8
        for (int c = 0; c < V; ++c) {
            vf const h = loadf(h2 + c * wf);
            d2[c] = dv * loadf(w_ + W3 + c * wf) * fnma(h, h, one);
            update(W3 + c * wf, dv * h);
            update(B2 + c * wf, d2[c]);
        }
        // W2: products for the input gradient before each row is updated.
        alignas(64) float products[hidden * wf];
#pragma GCC unroll 2
        for (int i = 0; i < hidden; ++i) {
            vf const a = set1<vf>(h1[i]);
            vf p{};
#pragma GCC unroll 8
            for (int c = 0; c < V; ++c) {
                p = fma(d2[c], loadf(w_ + W2 + i * hidden + c * wf), p);
                update(W2 + i * hidden + c * wf, a * d2[c]);
            }
            store<vf>(products + i * wf, p);
        }
#pragma GCC unroll 8
        for (int c = 0; c < V; ++c) {
            vf const h = loadf(h1 + c * wf);
            d1[c] = sum_rows(products + c * wf * wf) * fnma(h, h, one);
            update(B1 + c * wf, d1[c]);
        }
#pragma GCC unroll 2
        for (int i = 0; i < in; ++i) {
            vf const a = set1<vf>(x[i]);
#pragma GCC unroll 8
            for (int c = 0; c < V; ++c) update(W1 + i * hidden + c * wf, a * d1[c]);
        }
        return error * error;
    }

    /// h = tanh(x W + b), four chains of additions so that latency does not rule.
    template<int K>
    HAND_INLINE void layer(float const* x, int w, int b, float* h) {
        vf s[4][V];
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
#pragma GCC unroll 8
            for (int c = 0; c < V; ++c) s[j][c] = j == 0 ? loadf(w_ + b + c * wf) : vf{};
        }
#pragma GCC unroll 8
        for (int i = 0; i < K; i += 4) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                vf const a = set1<vf>(x[i + j]);
#pragma GCC unroll 8
                for (int c = 0; c < V; ++c) s[j][c] = fma(a, loadf(w_ + w + (i + j) * hidden + c * wf), s[j][c]);
            }
        }
#pragma GCC unroll 8
        for (int c = 0; c < V; ++c) store<vf>(h + c * wf, tanh((s[0][c] + s[1][c]) + (s[2][c] + s[3][c])));
    }

    struct add_bias {
        float *h, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(h + r * hidden + c, v + loadf(b + c)); }
    };
    struct times_derivative {
        float *d, *h;
        HAND_INLINE void operator()(int r, int c, vf v) const {
            vf const t = loadf(h + r * hidden + c);
            store<vf>(d + r * hidden + c, v * fnma(t, t, set1<vf>(1)));
        }
    };
    struct update_matrix {
        tanh_net& s;
        int w;
        HAND_INLINE void operator()(int r, int c, vf g) const { s.update(w + r * hidden + c, g); }
    };
    HAND_INLINE static void tanh_all(float* h) {
#pragma GCC unroll 4
        for (int i = 0; i < Batch * hidden; i += wf) store<vf>(h + i, tanh(loadf(h + i)));
    }
    HAND_INLINE vf column_sum(float const* d, int c) {
        vf s[4]{};
        for (int r = 0; r < Batch; r += 4) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) s[j] += loadf(d + (r + j) * hidden + c);
        }
        return (s[0] + s[1]) + (s[2] + s[3]);
    }

    float many(float const* x, float const* y) {
        gemm<Batch, V, V, in, in, 1, hidden, 0>(x, w_ + W1, add_bias{h1_, w_ + B1});
        tanh_all(h1_);
        gemm<Batch, V, V, hidden, hidden, 1, hidden, 0>(h1_, w_ + W2, add_bias{h2_, w_ + B2});
        float const loss = head(y);
        gemm<Batch, V, V, hidden, hidden, 1, hidden, 0>(d2_, w2t_, times_derivative{d1_, h1_});
        gemm<hidden, V, V, Batch, 1, hidden, hidden, 0>(h1_, d2_, update_matrix{*this, W2});
        gemm<in, V, V, Batch, 1, in, hidden, 0>(x, d1_, update_matrix{*this, W1});
        for (int c = 0; c < hidden; c += wf) {
            update(B2 + c, column_sum(d2_, c));
            update(B1 + c, column_sum(d1_, c));
        }
        transpose<hidden, hidden>(w_ + W2, w2t_);
        return loss;
    }

    /// tanh of the second layer, prediction, loss, gradient of the second layer, update of the last one.
    [[gnu::noinline]] float head(float const* y) {
        alignas(64) float products[Batch * wf], d[Batch];
        vf w[V], g[V], one = set1<vf>(1);
#pragma GCC unroll 8
        for (int c = 0; c < V; ++c) {
            w[c] = loadf(w_ + W3 + c * wf);
            g[c] = vf{};
        }
#pragma GCC unroll 2
        for (int r = 0; r < Batch; ++r) {
            vf p{};
#pragma GCC unroll 8
            for (int c = 0; c < V; ++c) {
                vf const h = tanh(loadf(h2_ + r * hidden + c * wf));
                store<vf>(h2_ + r * hidden + c * wf, h);
                p = fma(h, w[c], p);
            }
            store<vf>(products + r * wf, p);
        }
        vf loss{}, all{}, b = set1<vf>(w_[B3]);
        for (int r = 0; r < Batch; r += wf) {
            vf const e = sum_rows(products + r * wf) + b - loadf(y + r), de = e * set1<vf>(2.0f / Batch);
            loss = fma(e, e, loss);
            all += de;
            store<vf>(d + r, de);
        }
#pragma GCC unroll 4
        for (int r = 0; r < Batch; ++r) {
            vf const e = set1<vf>(d[r]);
#pragma GCC unroll 8
            for (int c = 0; c < V; ++c) {
                vf const h = loadf(h2_ + r * hidden + c * wf);
                g[c] = fma(e, h, g[c]);
                store<vf>(d2_ + r * hidden + c * wf, e * w[c] * fnma(h, h, one));
            }
        }
#pragma GCC unroll 8
        for (int c = 0; c < V; ++c) update(W3 + c * wf, g[c]);
        vf bias{};
        bias[0] = hsum(all);
        update(B3, bias);
        return hsum(loss) / Batch;
    }

    buffer<float> x_, y_;
    adam adam_{};
    buffer<float> w_{total}, m_{total}, v_{total}, w2t_{hidden * hidden};
    buffer<float> h1_{Batch * hidden}, h2_{Batch * hidden}, d1_{Batch * hidden}, d2_{Batch * hidden};
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
