// SPDX-License-Identifier: MIT
// A GRU of 64 over 16 turns, mean squared error of the last state, gradient descent, batch 32: one hand-written training step.
#pragma once

#include "gemm.hpp"
#include "rules.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

/// z = sigmoid(x wz + bz + h uz), r = sigmoid(x wr + br + h ur), c = tanh(x wc + bc + r (h uc)), h' = c + z (h - c).
/// The batch is the lanes ([feature][turn][32]). The gradients of both matrices are one product each, over all turns.
class gru {
public:
    static constexpr int n = 64, gates = 3 * n, turns = 16, batch = 32, batches = 4;
    float rate = 0.1f;
    std::vector<float> w, u;   // initial values, [64][192]; the bias starts at 0

    gru() : w(glorot(1, 0, n, gates)), u(glorot(1, 1, n, gates)), x_(batches * turns * batch * n), y_(batches * batch * n) {
        std::copy(w.begin(), w.end(), w_ + 0);
        std::copy(u.begin(), u.end(), u_ + 0);
        std::fill(b_ + 0, b_ + gates, 0.0f);
        for (int i = 0; i < batches * turns * batch * n; ++i) x_[i] = float(2 * uniform(4, 0, std::uint64_t(i)) - 1);
        for (int i = 0; i < batches * batch * n; ++i) y_[i] = float(1.6 * uniform(4, 1, std::uint64_t(i)) - 0.8);
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < batch; ++c) h_[r * across + c] = 0;
    }
    float const* inputs(int i) const { return x_ + i % batches * turns * batch * n; }   // [16][32][64]
    float const* targets(int i) const { return y_ + i % batches * batch * n; }          // [32][64]

    /// The loss before the update.
    float step(float const* x, float const* y) {
        for (int t = 0; t < turns; ++t) {
            transpose<batch, n>(x + t * batch * n, xt_ + t * batch, n, turns * batch);
            gemm<gates, V, V, n, 1, gates, turns * batch, 0>(w_, xt_ + t * batch, biased{gx_, b_});
            gemm<gates, V, V, n, 1, gates, across, 0>(u_, h_ + t * batch, plain{gh_});
            forward(t);
        }
        float const loss = head(y);
        for (int t = turns - 1; t >= 0; --t) {
            backward(t);
            for (int g = 0; g < gates; g += group) {
                transpose<group, batch>(dx_ + g * batch, dxt_ + (g * turns * batch + t * batch * group), batch, group);
                transpose<group, batch>(dh_ + g * batch, dht_ + (g * turns * batch + t * batch * group), batch, group);
            }
            if (t > 0) gemm<n, V, V, gates, gates, 1, batch, 0>(u_, dh_, added{d_});
        }
        bias();
        gemm<n, gates / wf, C, turns * batch, turns * batch, 1, group, turns * batch * group>(xt_, dxt_, descend{w_, rate});
        gemm<n, gates / wf, C, turns * batch, across, 1, group, turns * batch * group>(h_, dht_, descend{u_, rate});
        return loss;
    }

private:
    static constexpr int V = batch / wf, C = wf == 16 ? 4 : 2, group = C * wf, across = (turns + 1) * batch, cells = n * batch;

    struct biased {
        float *g, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(g + r * batch + c, v + set1<vf>(b[r])); }
    };
    struct plain {
        float* g;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(g + r * batch + c, v); }
    };
    struct added {
        float* d;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(d + r * batch + c, v + loadf(d + r * batch + c)); }
    };
    struct descend {
        float* m;
        float rate;
        HAND_INLINE void operator()(int r, int c, vf g) const {
            store<vf>(m + r * gates + c, fnma(set1<vf>(rate), g, loadf(m + r * gates + c)));
        }
    };
    [[gnu::noinline]] void forward(int t) {
        float *const z = z_ + t * cells, *const r = r_ + t * cells, *const c = c_ + t * cells, *const uc = uc_ + t * cells;
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < batch; k += wf) {
                int const at = i * batch + k;
                vf const zs = sigmoid(loadf(gx_ + at) + loadf(gh_ + at)), rs = sigmoid(loadf(gx_ + cells + at) + loadf(gh_ + cells + at));
                vf const v = loadf(gh_ + 2 * cells + at), cs = tanh(fma(rs, v, loadf(gx_ + 2 * cells + at)));
                store<vf>(z + at, zs);
                store<vf>(r + at, rs);
                store<vf>(c + at, cs);
                store<vf>(uc + at, v);
                float* const h = h_ + i * across + t * batch + k;
                store<vf>(h + batch, fma(zs, loadf(h) - cs, cs));
            }
    }
    [[gnu::noinline]] void backward(int t) {
        float const *const z = z_ + t * cells, *const r = r_ + t * cells, *const c = c_ + t * cells, *const uc = uc_ + t * cells;
        vf const one = set1<vf>(1);
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < batch; k += wf) {
                int const at = i * batch + k;
                vf const d = loadf(d_ + at), zs = loadf(z + at), rs = loadf(r + at), cs = loadf(c + at);
                vf const dz = d * (loadf(h_ + i * across + t * batch + k) - cs) * zs * (one - zs);
                vf const dc = d * (one - zs) * fnma(cs, cs, one);
                vf const dr = dc * loadf(uc + at) * rs * (one - rs);
                store<vf>(dx_ + at, dz);
                store<vf>(dh_ + at, dz);
                store<vf>(dx_ + cells + at, dr);
                store<vf>(dh_ + cells + at, dr);
                store<vf>(dx_ + 2 * cells + at, dc);
                store<vf>(dh_ + 2 * cells + at, dc * rs);
                store<vf>(d_ + at, d * zs);
            }
    }
    /// The last state is taken in rows.
    [[gnu::noinline]] float head(float const* y) {
        transpose<n, batch>(h_ + turns * batch, last_, across, n);
        vf loss[4]{}, scale = set1<vf>(2.0f / cells);
        for (int i = 0; i < cells; i += 4 * wf) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                float* const p = last_ + i + j * wf;
                vf const e = loadf(p) - loadf(y + i + j * wf);
                loss[j] = fma(e, e, loss[j]);
                store<vf>(p, e * scale);
            }
        }
        transpose<batch, n>(last_, d_);
        return hsum((loss[0] + loss[1]) + (loss[2] + loss[3])) / cells;
    }
    [[gnu::noinline]] void bias() {
        for (int g = 0; g < gates; g += group)
            for (int c = 0; c < group; c += wf) {
                float const* const column = dxt_ + g * turns * batch + c;
                vf s[4]{};
                for (int r = 0; r < turns * batch; r += 4) {
#pragma GCC unroll 4
                    for (int j = 0; j < 4; ++j) s[j] += loadf(column + (r + j) * group);
                }
                store<vf>(b_ + g + c, fnma(set1<vf>(rate), (s[0] + s[1]) + (s[2] + s[3]), loadf(b_ + g + c)));
            }
    }

    buffer<float> x_, y_, w_{n * gates}, u_{n * gates}, b_{gates}, xt_{n * turns * batch}, h_{n * across}, gx_{gates * batch},
        gh_{gates * batch}, z_{turns * cells}, r_{turns * cells}, c_{turns * cells}, uc_{turns * cells}, last_{cells}, d_{cells},
        dx_{gates * batch}, dh_{gates * batch}, dxt_{turns * batch * gates}, dht_{turns * batch * gates};
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
