// SPDX-License-Identifier: MIT
// 784-128-10 with relu, hand-written: the logits of a batch whose size the compiler knows.
#pragma once

#include "data.hpp"
#include "gemm.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

/// The weights of the first layer are stored permanently in panels [out / 2 vectors][in][2 vectors].
class forward {
public:
    static constexpr int most = 32, in = 784, hidden = 128, out = 10, P = padded(out);
    std::vector<float> w1 = glorot(1, 0, in, hidden), w2 = glorot(1, 1, hidden, out), b1 = glorot(1, 2, 1, hidden),
                       b2 = glorot(1, 3, 1, out);
    buffer<float> x{most * in}, logits{most * P};

    forward() {
        for (int i = 0; i < most * in; ++i) x[i] = float(uniform(2, 0, std::uint64_t(i)));
        for (int i = 0; i < in; ++i)
            for (int o = 0; o < hidden; ++o)
                W1_[o / (C * wf) * (in * C * wf) + i * C * wf + o % (C * wf)] = w1[std::size_t(i * hidden + o)];
        for (int i = 0; i < hidden; ++i) {
            b1_[i] = b1[std::size_t(i)];
            for (int o = 0; o < out; ++o) W2_[i * P + o] = w2[std::size_t(i * out + o)];
        }
        for (int o = 0; o < out; ++o) b2_[o] = b2[std::size_t(o)];
    }
    /// The logits of the first B images.
    template<int B>
    [[gnu::noinline]] void step() {
        gemm<B, hidden / wf, C, in, in, 1, C * wf, in * C * wf>(x, W1_, first{H_, b1_});
        gemm<B, P / wf, P / wf, hidden, hidden, 1, P, 0>(H_, W2_, second{logits, b2_});
    }

private:
    static constexpr int C = 2;
    struct first {
        float *h, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(h + r * hidden + c, max(v + loadf(b + c), vf{})); }
    };
    struct second {
        float *l, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(l + r * P + c, v + loadf(b + c)); }
    };
    buffer<float> W1_{in * hidden}, b1_{hidden}, W2_{hidden * P}, b2_{P}, H_{most * hidden};
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
