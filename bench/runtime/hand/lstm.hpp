// SPDX-License-Identifier: MIT
// An LSTM over 32 time steps, mean squared error of the last state, Adam as in PyTorch, batch 16: one hand-written training step.
#pragma once

#include "data.hpp"
#include "gemm.hpp"

#include <cmath>
#include <vector>

namespace hand {
inline namespace HAND_NAMESPACE {

/// i, f, o = sigmoid, g = tanh of x w + b + h u; c' = f c + i g; h' = o tanh(c').
/// Both matrices are always in panels: the four gates of a vector of units, side by side. So the products of a time step read memory in
/// its order, and a panel of a product is the cell of these units. The gradient needs a transposed copy of u, made once in a step.
template<int Units>
class lstm {
public:
    static constexpr int n = Units, gates = 4 * n, turns = 32, batch = 16, rows = turns * batch;

    /// The variables, [units][gates] and [gates], with the gates i, f, g, o one after the other.
    lstm(float const* w, float const* u, float const* b) {
        for (int g = 0; g < 4; ++g)
            for (int j = 0; j < n; ++j) {
                int const at = j / wf * group + g * wf + j % wf;
                b_[at] = b[g * n + j];
                for (int k = 0; k < n; ++k) {
                    int const to = at / group * panel_size + k * group + at % group;
                    w_[to] = w[k * gates + g * n + j];
                    u_[to] = u[k * gates + g * n + j];
                }
            }
        for (buffer<float>* slot : {&wm_, &wv_, &um_, &uv_}) std::fill(*slot + 0, *slot + n * gates, 0.0f);
        std::fill(bm_ + 0, bm_ + gates, 0.0f);
        std::fill(bv_ + 0, bv_ + gates, 0.0f);
        std::fill(h_ + 0, h_ + batch * n, 0.0f);
        std::fill(c_ + 0, c_ + batch * n, 0.0f);
    }

    /// The loss before the update. x is [batch][turns][units], y [batch][units].
    float step(float const* x, float const* y) {
        for (int t = 0; t < turns; ++t)
            for (int r = 0; r < batch; ++r) copy(x + (r * turns + t) * n, x_ + (t * batch + r) * n);
        gemm<rows, panels * 4, 4, n, n, 1, group, panel_size>(x_ + 0, w_ + 0, in_panels{gx_, b_});
        for (int t = 0; t < turns; ++t) forward(t);
        float const loss = head(y);
        for (int p = 0; p < panels; ++p)
            for (int j = 0; j < n; j += back)
                transpose<back, group>(u_ + p * panel_size + j * group, ut_ + (j / back * gates + p * group) * back, group, back);
        std::fill(db_ + 0, db_ + gates, 0.0f);
        for (int t = turns - 1; t >= 0; --t) {
            backward(t);
            if (t > 0) gemm<batch, n / wf, C, gates, wide, 1, back, gates * back>(dz_ + 0, ut_ + 0, plain{dh_});
        }
        begin();
        gemm<n, panels * 4, 4, rows, 1, n, group, rows * group>(x_ + 0, dg_ + 0, descend{*this, w_, wm_, wv_});
        gemm<n, panels * 4, 4, rows, 1, n, group, rows * group>(h_ + 0, dg_ + 0, descend{*this, u_, um_, uv_});
        for (int i = 0; i < gates; i += wf) adam(b_ + i, bm_ + i, bv_ + i, loadf(db_ + i));
        return loss;
    }

private:
    static constexpr int group = 4 * wf, panels = n / wf, panel_size = n * group, C = wf == 16 ? 2 : 4, back = C * wf, cells = batch * n;
    static constexpr int wide = gates + wf;   // rows of 4096 bytes would share sets of the first cache

    // A product of all inputs: each panel is [rows][group], with the bias.
    struct in_panels {
        float *g, *b;
        HAND_INLINE void operator()(int r, int c, vf v) const {
            store<vf>(g + (c / group * rows + r) * group + c % group, v + loadf(b + c));
        }
    };
    struct added {   // a panel of a time step
        float const* in;
        float* z;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(z + r * group + c, v + loadf(in + r * group + c)); }
    };
    struct plain {
        float* d;
        HAND_INLINE void operator()(int r, int c, vf v) const { store<vf>(d + r * n + c, v); }
    };
    struct descend {
        lstm const& of;
        float *w, *m, *v;
        HAND_INLINE void operator()(int r, int c, vf g) const {
            int const at = c / group * panel_size + r * group + c % group;
            of.adam(w + at, m + at, v + at, g);
        }
    };
    HAND_INLINE static void copy(float const* from, float* to) {
        for (int i = 0; i < n; i += wf) store<vf>(to + i, loadf(from + i));
    }
    void begin() {
        power1_ *= 0.9;
        power2_ *= 0.999;
        rate_ = float(1e-3 / (1 - power1_));
        root_ = float(1 / std::sqrt(1 - power2_));
    }
    HAND_INLINE void adam(float* w, float* m, float* v, vf g) const {
        vf mo = loadf(m), vo = loadf(v);
        mo = fma(g - mo, set1<vf>(float(1 - 0.9)), mo);
        vo = fma(fma(g, g, vf{} - vo), set1<vf>(float(1 - 0.999)), vo);
        store<vf>(m, mo);
        store<vf>(v, vo);
        store<vf>(w, loadf(w) - mo * set1<vf>(rate_) / fma(sqrt(vo), set1<vf>(root_), set1<vf>(1e-8f)));
    }
    // Kept for the gradient, [turn][panel][batch][gates i, f, g, o and tanh(c')].
    float* kept(int t, int p) { return kept_ + (t * panels + p) * batch * 5 * wf; }

    [[gnu::noinline]] void forward(int t) {
        for (int p = 0; p < panels; ++p) {
            alignas(64) float z[batch * group];
            panel<batch, 4, n, n, 1, group>(h_ + t * cells, u_ + p * panel_size, 0, added{gx_ + (p * rows + t * batch) * group, z});
            float* const k = kept(t, p);
            for (int r = 0; r < batch; ++r) {
                float const* const in = z + r * group;
                vf const i = sigmoid(loadf(in)), f = sigmoid(loadf(in + wf)), g = tanh(loadf(in + 2 * wf)), o = sigmoid(loadf(in + 3 * wf));
                float* const c = c_ + t * cells + r * n + p * wf;
                vf const next = fma(f, loadf(c), i * g), tc = tanh(next);
                store<vf>(c + cells, next);
                store<vf>(h_ + (t + 1) * cells + r * n + p * wf, o * tc);
                vf const all[5]{i, f, g, o, tc};
#pragma GCC unroll 5
                for (int a = 0; a < 5; ++a) store<vf>(k + (r * 5 + a) * wf, all[a]);
            }
        }
    }
    [[gnu::noinline]] void backward(int t) {
        vf const one = set1<vf>(1);
        for (int p = 0; p < panels; ++p) {
            float const* const k = kept(t, p);
            float* const sums = db_ + p * group;
            vf s[4]{loadf(sums), loadf(sums + wf), loadf(sums + 2 * wf), loadf(sums + 3 * wf)};
            for (int r = 0; r < batch; ++r) {
                float const* const a = k + r * 5 * wf;
                vf const i = loadf(a), f = loadf(a + wf), g = loadf(a + 2 * wf), o = loadf(a + 3 * wf), tc = loadf(a + 4 * wf);
                int const at = r * n + p * wf;
                vf const dh = loadf(dh_ + at), dc = fma(dh * o, fnma(tc, tc, one), loadf(dc_ + at));
                vf const d[4]{dc * g * i * (one - i), dc * loadf(c_ + t * cells + at) * f * (one - f), dc * i * fnma(g, g, one),
                    dh * tc * o * (one - o)};
                store<vf>(dc_ + at, dc * f);
#pragma GCC unroll 4
                for (int q = 0; q < 4; ++q) {
                    s[q] += d[q];
                    store<vf>(dz_ + r * wide + p * group + q * wf, d[q]);
                    store<vf>(dg_ + (p * rows + t * batch + r) * group + q * wf, d[q]);
                }
            }
#pragma GCC unroll 4
            for (int q = 0; q < 4; ++q) store<vf>(sums + q * wf, s[q]);
        }
    }
    [[gnu::noinline]] float head(float const* y) {
        vf loss{}, scale = set1<vf>(2.0f / cells);
        for (int i = 0; i < cells; i += wf) {
            vf const e = loadf(h_ + turns * cells + i) - loadf(y + i);
            loss = fma(e, e, loss);
            store<vf>(dh_ + i, e * scale);
            store<vf>(dc_ + i, vf{});
        }
        return hsum(loss) / cells;
    }

    double power1_ = 1, power2_ = 1;
    float rate_ = 0, root_ = 0;
    buffer<float> w_{n * gates}, wm_{n * gates}, wv_{n * gates}, u_{n * gates}, um_{n * gates}, uv_{n * gates}, ut_{n * gates}, b_{gates},
        bm_{gates}, bv_{gates}, db_{gates}, x_{rows * n}, gx_{rows * gates}, h_{(turns + 1) * cells}, c_{(turns + 1) * cells},
        kept_{turns * cells * 5}, dh_{cells}, dc_{cells}, dz_{batch * wide}, dg_{rows * gates};
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
