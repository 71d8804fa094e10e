// SPDX-License-Identifier: MIT
// Update rules with norms of the variable by hand: what one vector adds to two sums, what the sums make of the step, the step.
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

}   // namespace HAND_NAMESPACE
}   // namespace hand
