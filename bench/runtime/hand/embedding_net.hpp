// SPDX-License-Identifier: MIT
// Eight tables of 1000 x 8, concatenated, 64-100-50-1, relu, sigmoid cross-entropy, Adagrad, batch 256: one hand-written training step.
#pragma once

#include "gemm.hpp"
#include "rules.hpp"

#include <cmath>

namespace hand {
inline namespace HAND_NAMESPACE {

/// Features are lanes, layers padded to whole vectors; each matrix is also kept transposed, for the gradient of its input. Table
/// rows are
/// updated sparsely, rows that occur more than once in a batch summed first. The loss is the mean over the batch.
class embedding_net {
public:
    static constexpr int tables = 8, rows = 1000, dim = 8, batch = 256, in = tables * dim, n1 = 100, n2 = 50, batches = 8;
    float rate = 0.01f;
    std::vector<std::vector<float>> table;   // initial values, [table][1000 * 8]
    std::vector<float> w1, w2, w3;           // [64][100], [100][50], [50]; biases start at 0, accumulators at 0.1

    embedding_net() : ids_(batches * batch * tables), y_(batches * batch), e_(tables * rows * stride) {
        for (int t = 0; t < tables; ++t) {
            table.push_back(symmetric<float>(1, std::uint64_t(t), rows * dim, 0.05));
            for (int r = 0; r < rows; ++r) {
                for (int d = 0; d < dim; ++d) {
                    row(t, r)[d] = table.back()[std::size_t(r * dim + d)];
                    row(t, r)[dim + d] = 0.1f;
                }
            }
        }
        w1 = glorot(1, 8, in, n1);
        w2 = glorot(1, 9, n1, n2);
        w3 = glorot(1, 10, n2, 1);
        for (int i = 0; i < in; ++i) std::copy_n(w1.begin() + i * n1, n1, W1_ + i * P1);
        for (int i = 0; i < n1; ++i)
            for (int o = 0; o < n2; ++o) W2T_[o * P1 + i] = w2[std::size_t(i * n2 + o)];
        std::copy(w3.begin(), w3.end(), W3_.data());
        for (buffer<float>* a : {&A1_, &A2_, &A3_, &a1_, &a2_}) std::fill_n(a->data(), a->size(), 0.1f);
        a3_ = 0.1f;
        transposed();
        for (int r = 0; r < batches * batch; ++r) {
            int sum = 0;
            for (int t = 0; t < tables; ++t) {
                double const u = uniform(5, std::uint64_t(t), std::uint64_t(r));
                ids_[r * tables + t] = std::int32_t(u * u * rows);   // low ids are frequent
                sum += ids_[r * tables + t];
            }
            y_[r] = sum % 5 < 2 ? 1.0f : 0.0f;
        }
    }

    std::int32_t const* ids(int i) const { return ids_ + i % batches * batch * tables; }
    float const* labels(int i) const { return y_ + i % batches * batch; }

    /// One step on ids [256][8] and 256 labels (0 or 1); the loss before the update.
    float step(std::int32_t const* ids, float const* y) {
        for (int r = 0; r < batch; ++r) {
            for (int t = 0; t < tables; ++t) {
                float const* const p = row(t, ids[r * tables + t]);
                for (int c = 0; c < dim; c += lanes<vh>) store<vh>(x_ + r * in + t * dim + c, load<vh>(p + c));
            }
        }
        gemm<batch, P1 / wf, C1, in, in, 1, P1, C1 * wf>(x_, W1_, relu<P1>{h1_, b1_});
        gemm<batch, P2 / wf, C2, n1, P1, 1, P2, C2 * wf>(h1_, W2_, relu<P2>{h2_, b2_});
        float const loss = head(y);
        gemm<batch, P1 / wf, C1, n2, P2, 1, P1, C1 * wf>(d2_, W2T_, masked<P1>{d1_, h1_});
        gemm<n2, P1 / wf, CU, batch, 1, P2, P1, CU * wf>(d2_, h1_, update<P1>{rule(), W2T_, A2_});
        sum_columns<P2>(d2_, b2_, a2_);
        gemm<batch, in / wf, C2, n1, P1, 1, in, C2 * wf>(d1_, W1T_, plain{dx_});
        gemm<in, P1 / wf, CU, batch, 1, in, P1, CU * wf>(x_, d1_, update<P1>{rule(), W1_, A1_});
        sum_columns<P1>(d1_, b1_, a1_);
        transposed();
        for (int t = 0; t < tables; ++t) update_table(t, ids);
        return loss;
    }

    /// Parameters now, row-major: the tables, w1, b1, w2, b2, w3, b3.
    std::vector<float> parameters() const {
        std::vector<float> p;
        for (int r = 0; r < tables * rows; ++r) p.insert(p.end(), e_ + r * stride, e_ + r * stride + dim);
        for (int i = 0; i < in; ++i) p.insert(p.end(), W1_ + i * P1, W1_ + i * P1 + n1);
        p.insert(p.end(), b1_.data(), b1_.data() + n1);
        for (int i = 0; i < n1; ++i)
            for (int o = 0; o < n2; ++o) p.push_back(W2T_[o * P1 + i]);
        p.insert(p.end(), b2_.data(), b2_.data() + n2);
        p.insert(p.end(), W3_.data(), W3_.data() + n2);
        p.push_back(b3_);
        return p;
    }

private:
    static constexpr int P1 = padded(n1), P2 = padded(n2), PT = padded(in),
                         stride = 2 * dim;   // a table row followed by its accumulators
    static constexpr int C1 = wf == 16 ? 4 : 2, C2 = wf == 16 ? 4 : 2, CU = 2;

    float* row(int t, std::int32_t r) { return e_ + (t * rows + r) * stride; }
    adagrad rule() const { return {rate}; }
    void transposed() {
        transpose<PT, P1>(W1_, W1T_);
        transpose<P2, P1>(W2T_, W2_);
    }

    template<int N>
    struct relu {
        float *h, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(h + r * N + c, max(v + loadf(b + c), vf{})); }
    };
    template<int N>
    struct masked {
        float *d, *h;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(d + r * N + c, where_positive(loadf(h + r * N + c), v)); }
    };
    template<int N>
    struct update {
        adagrad rule;
        float *w, *a;
        HAND_INLINE void operator()(int r, int c, vf g) const { rule.update(w + r * N + c, a + r * N + c, g); }
    };
    struct plain {
        float* d;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(d + r * in + c, v); }
    };
    template<int N>
    [[gnu::noinline]] void sum_columns(float const* d, float* b, float* a) {
        for (int c = 0; c < N; c += wf) {
            vf s[4]{};
            for (int r = 0; r < batch; r += 4) {
#pragma GCC unroll 4
                for (int j = 0; j < 4; ++j) s[j] += loadf(d + (r + j) * N + c);
            }
            rule().update(b + c, a + c, (s[0] + s[1]) + (s[2] + s[3]));
        }
    }

    /// Logits, loss, gradient of the second layer; update of the last one.
    [[gnu::noinline]] float head(float const* y) {
        constexpr int V = P2 / wf;
        alignas(64) float products[batch * wf], d[batch];
        vf w[V], g[V]{};
        for (int c = 0; c < V; ++c) w[c] = loadf(W3_ + c * wf);
        for (int r = 0; r < batch; ++r) {
            vf p{};
            for (int c = 0; c < V; ++c) p = fma(loadf(h2_ + r * P2 + c * wf), w[c], p);
            store<vf>(products + r * wf, p);
        }
        vf loss{}, all{}, one = set1<vf>(1);
        for (int r = 0; r < batch; r += wf) {
            vf const z = sum_rows(products + r * wf) + set1<vf>(b3_), label = loadf(y + r);
            vf const e = exp(vf{} - abs(z)), s = one / (one + e);
            loss += max(z, vf{}) - z * label + log(one + e);
            vf const dz = ((z < vf{} ? e * s : s) - label) * set1<vf>(1.0f / batch);
            all += dz;
            store<vf>(d + r, dz);
        }
        for (int r = 0; r < batch; ++r) {
            vf const e = set1<vf>(d[r]);
            for (int c = 0; c < V; ++c) {
                vf const h = loadf(h2_ + r * P2 + c * wf);
                g[c] = fma(e, h, g[c]);
                store<vf>(d2_ + r * P2 + c * wf, where_positive(h, e * w[c]));
            }
        }
        for (int c = 0; c < V; ++c) rule().update(W3_ + c * wf, A3_ + c * wf, g[c]);
        float const gb = hsum(all);
        a3_ += gb * gb;
        b3_ -= rate * gb / std::sqrt(a3_);
        return hsum(loss) / batch;
    }

    /// Sums the gradients of equal rows in order of the batch, then Adagrad on each distinct row.
    [[gnu::noinline]] void update_table(int t, std::int32_t const* ids) {
        std::int32_t count = 0, distinct[batch];
        constexpr int L = lanes<vh>;
        for (int r = 0; r < batch; ++r) {
            std::int32_t const id = ids[r * tables + t];
            float const* const g = dx_ + r * in + t * dim;
            std::int32_t const u = slot_[id];
            if (u < count && distinct[u] == id) {
                for (int c = 0; c < dim; c += L) store<vh>(sum_ + u * dim + c, load<vh>(sum_ + u * dim + c) + load<vh>(g + c));
            } else {
                slot_[id] = count;
                distinct[count] = id;
                for (int c = 0; c < dim; c += L) store<vh>(sum_ + count * dim + c, load<vh>(g + c));
                ++count;
            }
        }
        vh const step = rate - vh{};
        for (int u = 0; u < count; ++u) {
            float* const p = row(t, distinct[u]);
            for (int c = 0; c < dim; c += L) {
                vh const g = load<vh>(sum_ + u * dim + c), s = load<vh>(p + dim + c) + g * g;
                store<vh>(p + dim + c, s);
                store<vh>(p + c, load<vh>(p + c) - step * g / sqrt(s));
            }
        }
    }

    buffer<std::int32_t> ids_;
    buffer<float> y_, e_;
    buffer<float> W1_{PT * P1}, A1_{PT * P1}, W1T_{P1 * PT}, b1_{P1}, a1_{P1};
    buffer<float> W2T_{P2 * P1}, A2_{P2 * P1}, W2_{P1 * P2}, b2_{P2}, a2_{P2}, W3_{P2}, A3_{P2};
    float b3_ = 0, a3_ = 0.1f;
    buffer<float> x_{batch * in}, h1_{batch * P1}, h2_{batch * P2}, d1_{batch * P1}, d2_{batch * P2}, dx_{batch * in}, sum_{batch * dim};
    std::int32_t slot_[rows] = {};
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
