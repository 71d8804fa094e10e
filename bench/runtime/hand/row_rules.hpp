// SPDX-License-Identifier: MIT
// Hand-written update rules of the rows of a table. A row of 32 numbers stays in registers, and each row keeps one number. Each formula is
// that of the rule of the same name in xgrad/optim.
#pragma once

#include "rules.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

/// The gradient of a row, or the row.
using row32 = vf[32 / wf];

HAND_INLINE float squares(row32 const& x) {
    vf sum = x[0] * x[0];
#pragma GCC unroll 8
    for (int c = 1; c < 32 / wf; ++c) sum = fma(x[c], x[c], sum);
    return hsum(sum);
}
/// w -= step g.
HAND_INLINE void descend(float* w, float step, row32 const& g) {
    vf const by = set1<vf>(step);
#pragma GCC unroll 8
    for (int c = 0; c < 32 / wf; ++c) store<vf>(w + c * wf, fnma(g[c], by, loadf(w + c * wf)));
}
/// What the group lasso leaves of a row of this norm.
HAND_INLINE float share_of(float norm, float limit) { return norm <= limit ? 0 : 1 - limit / norm; }

struct rowwise_adagrad {
    static constexpr int slots = 1;
    static constexpr std::size_t width(int) { return 1; }
    void begin() {}
    HAND_INLINE void update_row(float* w, float* a, float*, row32 const& g) const {
        float const next = *a + squares(g) * (1.0f / 32);
        *a = next;
        descend(w, 0.01f / (std::sqrt(next) + 1e-8f), g);
    }
};
struct rowwise_rms_prop {
    static constexpr int slots = 1;
    static constexpr std::size_t width(int) { return 1; }
    void begin() {}
    HAND_INLINE void update_row(float* w, float* s, float*, row32 const& g) const {
        float const next = *s + (squares(g) * (1.0f / 32) - *s) * 0.01f;
        *s = next;
        descend(w, 0.01f / (std::sqrt(next) + 1e-8f), g);
    }
};
/// l21 = 0.01, l2 = 0.02.
struct group_adagrad {
    static constexpr int slots = 1;
    static constexpr std::size_t width(int) { return 1; }
    void begin() {}
    HAND_INLINE void update_row(float* w, float* a, float*, row32 const& g) const {
        float const next = *a + squares(g) * (1.0f / 32), step = 0.01f / (std::sqrt(next) + 1e-8f);
        *a = next;
        row32 y;
#pragma GCC unroll 8
        for (int c = 0; c < 32 / wf; ++c) y[c] = fnma(g[c], set1<vf>(step), loadf(w + c * wf));
        float const share = share_of(std::sqrt(squares(y)), step * (0.01f * std::sqrt(32.0f)));
        vf const by = set1<vf>(share / (1 + step * 0.02f));
#pragma GCC unroll 8
        for (int c = 0; c < 32 / wf; ++c) store<vf>(w + c * wf, y[c] * by);
    }
};
/// l1 = 0.01, l2 = 0.02, l21 = 0.01.
struct group_ftrl {
    static constexpr int slots = 2;
    static float start(int k, float) { return k == 0 ? 0.1f : 0; }
    void begin() {}
    HAND_INLINE void update_row(float* w, float* n, float* z, row32 const& g) const {
        vf const inverse = set1<vf>(1 / 0.01f), l1 = set1<vf>(0.01f);
        row32 y, below;
#pragma GCC unroll 8
        for (int c = 0; c < 32 / wf; ++c) {
            vf const old = loadf(n + c * wf), next = fma(g[c], g[c], old), root = sqrt(next);
            vf const pull = loadf(z + c * wf) + fnma((root - sqrt(old)) * inverse, loadf(w + c * wf), g[c]);
            store<vf>(n + c * wf, next);
            store<vf>(z + c * wf, pull);
            y[c] = where_greater(abs(pull), l1, copysign(l1, pull) - pull);
            below[c] = fma(root, inverse, set1<vf>(2 * 0.02f));
        }
        vf const share = set1<vf>(share_of(std::sqrt(squares(y)), 0.01f * std::sqrt(32.0f)));
#pragma GCC unroll 8
        for (int c = 0; c < 32 / wf; ++c) store<vf>(w + c * wf, y[c] * share / below[c]);
    }
};
struct partial_rowwise_adam {
    static constexpr int slots = 2;
    static constexpr std::size_t width(int k) { return k == 0 ? 32 : 1; }
    double power1 = 1, power2 = 1;
    float rate = 0, root = 0;   // freed of their biases
    void begin() {
        power1 *= 0.9, power2 *= 0.999;
        rate = float(1e-3 / (1 - power1)), root = float(1 / std::sqrt(1 - power2));
    }
    HAND_INLINE void update_row(float* w, float* m, float* v, row32 const& g) const {
        float const next = *v + (squares(g) * (1.0f / 32) - *v) * 0.001f;
        *v = next;
        vf const step = set1<vf>(rate / (std::sqrt(next) * root + 1e-8f)), rest = set1<vf>(0.1f);
#pragma GCC unroll 8
        for (int c = 0; c < 32 / wf; ++c) {
            vf const mo = loadf(m + c * wf), mean = fma(g[c] - mo, rest, mo);
            store<vf>(m + c * wf, mean);
            store<vf>(w + c * wf, fnma(mean, step, loadf(w + c * wf)));
        }
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
