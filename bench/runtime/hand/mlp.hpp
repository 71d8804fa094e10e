// SPDX-License-Identifier: MIT
// 784-128-10, relu, mean sparse softmax cross-entropy, Adam, batch 64: one hand-written training step.
#pragma once

#include "gemm.hpp"
#include "rules.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

/// Features are lanes. The first layer's weights are stored permanently in panels [out / 32][in][32]. Its gradient goes from the registers
/// into Adam.
class mlp {
public:
    static constexpr int batch = 64, in = 784, hidden = 128, out = 10, batches = 4;
    std::vector<float> w1 = glorot(1, 0, in, hidden), w2 = glorot(1, 1, hidden, out);   // initial values, row-major; biases start at 0

    mlp() : x_(batches * batch * in), y_(batches * batch) {
        for (int i = 0; i < batches * batch * in; ++i) {
            float const u = float(uniform(2, 0, std::uint64_t(i)));
            x_[i] = u < 0.5f ? 0.0f : u;   // like an image, half of the pixels are black
        }
        for (int i = 0; i < batches * batch; ++i) y_[i] = std::int32_t(stream(2, 1, std::uint64_t(i)) % out);
        for (int i = 0; i < in; ++i)
            for (int o = 0; o < hidden; ++o) W1_[place(i, o)] = w1[std::size_t(i * hidden + o)];
        for (int i = 0; i < hidden; ++i) {
            for (int o = 0; o < out; ++o) {
                W2_[i * P + o] = w2[std::size_t(i * out + o)];
                W2T_[o * hidden + i] = w2[std::size_t(i * out + o)];
            }
        }
    }

    float const* images(int i) const { return x_ + i % batches * batch * in; }
    std::int32_t const* labels(int i) const { return y_ + i % batches * batch; }

    /// One step on [64][784] images and 64 labels; the loss before the update.
    float step(float const* x, std::int32_t const* y) {
        adam_.begin();
        gemm<batch, hidden / wf, C, in, in, 1, C * wf, in * C * wf>(x, W1_, forward1{H_, b1_});
        gemm<batch, P / wf, P / wf, hidden, hidden, 1, P, 0>(H_, W2_, forward2{L_, b2_});
        float const loss = softmax(y);
        gemm<batch, hidden / wf, C, out, P, 1, hidden, C * wf>(L_, W2T_, backward{D_, H_});
        gemm<hidden, P / wf, P / wf, batch, 1, hidden, P, 0>(H_, L_, update2{*this});
        sum_columns<P>(L_, b2_, mb2_, vb2_);
        sum_columns<hidden>(D_, b1_, mb1_, vb1_);
        gemm<in, hidden / wf, C, batch, 1, in, hidden, C * wf>(x, D_, update1{adam_, W1_, M1_, V1_});
        for (int i = 0; i < hidden; ++i)
            for (int o = 0; o < out; ++o) W2T_[o * hidden + i] = W2_[i * P + o];
        return loss;
    }

    /// Parameters now, row-major: w1 [784][128], b1, w2 [128][10], b2.
    std::vector<float> parameters() const {
        std::vector<float> p;
        for (int i = 0; i < in; ++i)
            for (int o = 0; o < hidden; ++o) p.push_back(W1_[place(i, o)]);
        p.insert(p.end(), b1_.data(), b1_.data() + hidden);
        for (int i = 0; i < hidden; ++i) p.insert(p.end(), W2_ + i * P, W2_ + i * P + out);
        p.insert(p.end(), b2_.data(), b2_.data() + out);
        return p;
    }

private:
    static constexpr int P = padded(out), C = 2;
    static int place(int i, int o) { return o / (C * wf) * (in * C * wf) + i * C * wf + o % (C * wf); }

    struct forward1 {
        float *h, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(h + r * hidden + c, max(v + loadf(b + c), vf{})); }
    };
    struct forward2 {
        float *l, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(l + r * P + c, v + loadf(b + c)); }
    };
    struct backward {
        float *d, *h;
        HAND_INLINE void operator()(int r, int c, vf v) const {
            store<vf>(d + r * hidden + c, where_positive(loadf(h + r * hidden + c), v));
        }
    };
    struct update1 {
        adam rule;
        float *w, *m, *v;
        HAND_INLINE void operator()(int r, int c, vf g) const {
            int const at = c / (C * wf) * (in * C * wf) + r * C * wf + c % (C * wf);
            rule.update(w + at, m + at, v + at, g);
        }
    };
    struct update2 {
        mlp& s;
        HAND_INLINE void operator()(int r, int c, vf g) const {
            int const at = r * P + c;
            s.adam_.update(s.W2_ + at, s.M2_ + at, s.V2_ + at, g);
        }
    };
    template<int N>
    void sum_columns(float const* d, float* b, float* m, float* v) {
        for (int c = 0; c < N; c += wf) {
            vf s0{}, s1{}, s2{}, s3{};
            for (int r = 0; r < batch; r += 4) {
                s0 += loadf(d + r * N + c);
                s1 += loadf(d + (r + 1) * N + c);
                s2 += loadf(d + (r + 2) * N + c);
                s3 += loadf(d + (r + 3) * N + c);
            }
            adam_.update(b + c, m + c, v + c, (s0 + s1) + (s2 + s3));
        }
    }
    /// logits -> loss; the logits become their gradient, zero in the lanes that pad.
    [[gnu::noinline]] float softmax(std::int32_t const* y) {
        float sums[batch], shifted[batch];
        for (int r = 0; r < batch; ++r) {
            float* const l = L_ + r * P;
            float top = l[0];
            if constexpr (P == wf) {
                vf v = loadf(l);
                for (int i = out; i < P; ++i) v[i] = l[0];
                top = hmax(v);
            } else {
                for (int i = 1; i < out; ++i) top = std::max(top, l[i]);
            }
            shifted[r] = l[y[r]] - top;
            vf total{};
            for (int c = 0; c < P; c += wf) {
                vf e = exp(loadf(l + c) - set1<vf>(top)) * loadf(real_ + c);
                total += e;
                store<vf>(l + c, e);
            }
            sums[r] = hsum(total);
            float const scale = 1.0f / (float(batch) * sums[r]);
            for (int c = 0; c < P; c += wf) store<vf>(l + c, loadf(l + c) * set1<vf>(scale));
            l[y[r]] -= 1.0f / batch;
        }
        vf loss{};
        for (int r = 0; r < batch; r += wf) loss += log(loadf(sums + r)) - loadf(shifted + r);
        return hsum(loss) / batch;
    }

    buffer<float> x_;
    buffer<std::int32_t> y_;
    adam adam_{};
    buffer<float> W1_{in * hidden}, M1_{in * hidden}, V1_{in * hidden}, b1_{hidden}, mb1_{hidden}, vb1_{hidden};
    buffer<float> W2_{hidden * P}, M2_{hidden * P}, V2_{hidden * P}, b2_{P}, mb2_{P}, vb2_{P}, W2T_{out * hidden};
    buffer<float> H_{batch * hidden}, D_{batch * hidden}, L_{batch * P};
    float real_[P] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
