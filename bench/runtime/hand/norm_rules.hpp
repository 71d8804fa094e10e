// SPDX-License-Identifier: MIT
// Hand-written update rules with norms of the variable: what one vector adds to two sums, what the sums make of the step, the step.
#pragma once

#include "adam_rules.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

/// The squares of parameters and gradients.
struct lars {
    static constexpr int slots = 1;
    vf rate{}, decay = all(1e-4), keep = all(0.9);
    void begin() {}
    HAND_INLINE void terms(vf w, vf g, vf const*, vf& length, vf& slope) const {
        length = fma(w, w, length);
        slope = fma(g, g, slope);
    }
    void settle(double length, double slope) {
        bool const both = length > 0 && slope > 0;
        rate = all(0.01 * (both ? 1e-3 * std::sqrt(length) / (std::sqrt(slope) + 1e-4 * std::sqrt(length)) : 1));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(s[0], keep, fma(w, decay, g) * rate);
        w = w - s[0];
    }
};
/// The squares of parameters and of the step of Adam, which is made twice.
struct lamb : betas {
    static constexpr int slots = 2;
    vf first{}, second{}, step{}, small = all(1e-6), decay = all(0.01);
    void begin() {
        power1 *= beta1, power2 *= beta2;
        first = all(1 / (1 - power1)), second = all(1 / (1 - power2));
    }
    HAND_INLINE vf direction(vf w, vf* s, vf g) const {
        moments(s, g);
        return fma(w, decay, s[0] * first / (sqrt(s[1] * second) + small));
    }
    HAND_INLINE void terms(vf w, vf g, vf const* s, vf& length, vf& slope) const {
        vf now[]{s[0], s[1]};
        vf const u = direction(w, now, g);
        length = fma(w, w, length);
        slope = fma(u, u, slope);
    }
    void settle(double length, double slope) { step = all(rate * (length > 0 && slope > 0 ? std::sqrt(length / slope) : 1)); }
    HAND_INLINE void update(vf& w, vf* s, vf g) const { w = fnma(direction(w, s, g), step, w); }
};
/// The squares of the gradient; of the variable one number is kept.
struct novograd {
    static constexpr int slots = 1;
    float moment = 0;
    bool begun = false;
    vf keep = all(0.9), decay = all(0.01), rate = all(1e-3), inverse{};
    void begin() {}
    HAND_INLINE void terms(vf, vf g, vf const*, vf& squares, vf&) const { squares = fma(g, g, squares); }
    void settle(double squares, double) {
        moment = begun ? 0.25f * moment + 0.75f * float(squares) : float(squares);
        begun = true;
        inverse = all(1 / (std::sqrt(double(moment)) + 1e-6));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(s[0], keep, fma(g, inverse, w * decay));
        w = fnma(s[0], rate, w);
    }
};
/// g (start - w) and |s|, s as it will be. Where a variable started is read and not written again.
struct prodigy {
    static constexpr int slots = 4;
    static float start(int k, float w) { return k == 3 ? w : 0; }
    double power1 = 1, power2 = 1, d = 1e-6, numerator = 0, length = 0;   // length of a step
    vf c1 = all(0.1), c2{}, keep1 = all(0.9), keep2 = all(0.999), keep3 = all(std::sqrt(0.999)), weight{}, e{}, alpha{}, decay{};
    void begin() {
        power1 *= 0.9, power2 *= 0.999;
        length = d * std::sqrt(1 - power2) / (1 - power1);
        weight = all(length * d / 1e-6);
        c1 = all(0.1 * d), c2 = all(0.001 * d * d), alpha = all(length), decay = all(0.01 * length);
    }
    HAND_INLINE void terms(vf w, vf g, vf const* s, vf& along, vf& size) const {
        along = fma(g, s[3] - w, along);
        size = size + abs(fma(s[2], keep3, weight * g));
    }
    void settle(double along, double size) {
        numerator = std::sqrt(0.999) * numerator + length * d / 1e-6 * along;
        if (size > 0) d = std::max(d, numerator / size);
        e = all(d * 1e-8);
    }
    HAND_INLINE void update(float* w, float* m, float* v, float* s, float*, vf g) const {
        vf const mo = fma(loadf(m), keep1, g * c1), vo = fma(loadf(v), keep2, g * g * c2), wo = loadf(w);
        store<vf>(m, mo);
        store<vf>(v, vo);
        store<vf>(s, fma(loadf(s), keep3, weight * g));
        store<vf>(w, fnma(wo, decay, wo) - alpha * mo / (sqrt(vo) + e));
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
