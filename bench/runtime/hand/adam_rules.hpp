// SPDX-License-Identifier: MIT
// Hand-written update rules with the moments of Adam, one vector of the variable and its slots at a time. Each formula is that of the rule
// of the same name in xgrad/optim.
#pragma once

#include "more_rules.hpp"

namespace hand {
inline namespace HAND_NAMESPACE {

/// The powers of Adam's betas, and what they make of the rate.
struct betas {
    double rate = 1e-3, beta1 = 0.9, beta2 = 0.999, power1 = 1, power2 = 1;
    vf c1 = all(0.1), c2 = all(0.001), e = all(1e-8), alpha{};
    void begin() {
        power1 *= beta1;
        power2 *= beta2;
        alpha = all(rate * std::sqrt(1 - power2) / (1 - power1));
    }
    HAND_INLINE void moments(vf* s, vf g) const {
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = fma(fma(g, g, vf{} - s[1]), c2, s[1]);
    }
};
/// The rate and the root of the second moment, each corrected for its bias.
struct debiased : betas {
    vf step{}, root{};
    void begin() {
        power1 *= beta1, power2 *= beta2;
        step = all(rate / (1 - power1)), root = all(1 / std::sqrt(1 - power2));
    }
};
struct adamw : betas {
    static constexpr int slots = 2;
    vf decay = all(0.01);
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        w = fnma(w, decay, w) - alpha * s[0] / (sqrt(s[1]) + e);
    }
};
struct amsgrad : betas {
    static constexpr int slots = 3;
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        s[2] = max(s[2], s[1]);
        w = w - alpha * s[0] / (sqrt(s[2]) + e);
    }
};
struct nadam : betas {
    static constexpr int slots = 2;
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        w = w - alpha * fma(g - s[0], c1, s[0]) / (sqrt(s[1]) + e);
    }
};
struct adamax : betas {
    static constexpr int slots = 2;
    vf keep = all(0.999);
    void begin() {
        power1 *= beta1;
        alpha = all(rate / (1 - power1));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = max(s[1] * keep, abs(g));
        w = w - alpha * s[0] / (s[1] + e);
    }
};
struct adabelief : debiased {
    static constexpr int slots = 2;
    vf tiny = all(1e-16);
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g - s[0], c1, s[0]);
        vf const off = g - s[0];
        s[1] = fma(fma(off, off, vf{} - s[1]), c2, s[1]) + tiny;
        w = w - step * s[0] / fma(sqrt(s[1]), root, tiny);
    }
};
struct yogi : debiased {
    static constexpr int slots = 2;
    vf e3 = all(1e-3);
    yogi() { rate = 0.01; }
    static float start(int, float) { return 1e-6f; }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        vf const square = g * g;
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = fnma(sign(s[1] - square) * square, c2, s[1]);
        w = w - step * s[0] / fma(sqrt(s[1]), root, e3);
    }
};
struct adan {
    static constexpr int slots = 4;
    double power1 = 1, power2 = 1, power3 = 1;
    vf c1 = all(0.02), c2 = all(0.08), c3 = all(0.01), first{}, second{}, e{}, e_root{}, decay = all(1e-3 * 0.01), difference{};
    bool begun = false;
    void begin() {
        power1 *= 0.98, power2 *= 0.92, power3 *= 0.99;
        double const root = std::sqrt(1 - power3);   // of the last correction, on both sides of the quotient
        first = all(1e-3 * root / (1 - power1)), second = all(1e-3 * root * 0.08 / (1 - power2));
        e = all(1e-8 * root), e_root = all(1e-8 * root * root);
        difference = all(begun ? 1 : 0);
        begun = true;
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        vf const d = (g - s[3]) * difference, ahead = fma(d, c2, g);
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = fma(d - s[1], c2, s[1]);
        s[2] = fma(fma(ahead, ahead, vf{} - s[2]), c3, s[2]);
        s[3] = g;
        w = fnma(w, decay, w) - fma(s[1], second, s[0] * first) / (sqrt(s[2] + e_root) + e);
    }
};
struct pytorch_adamax : adamax {
    pytorch_adamax() { rate = 2e-3; }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = max(s[1] * keep, abs(g) + e);
        w = w - alpha * s[0] / s[1];
    }
};
struct pytorch_adam : debiased {
    static constexpr int slots = 2;
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        w = w - step * s[0] / fma(sqrt(s[1]), root, e);
    }
};
struct pytorch_amsgrad : debiased {
    static constexpr int slots = 3;
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        s[2] = max(s[2], s[1]);
        w = w - step * s[0] / fma(sqrt(s[2]), root, e);
    }
};
struct pytorch_adamw : pytorch_adam {
    vf left = all(1 - 1e-3 * 0.01);
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        w = w * left - step * s[0] / fma(sqrt(s[1]), root, e);
    }
};
struct pytorch_nadam : debiased {
    static constexpr int slots = 2;
    double count = 0, product = 1;
    vf of_gradient{}, of_mean{};
    void begin() {
        debiased::begin();
        count += 1;
        double const now = mu(count), next = mu(count + 1);
        product *= now;
        of_gradient = all(2e-3 * (1 - now) / (1 - product)), of_mean = all(2e-3 * next / (1 - product * next));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        w = w - fma(g, of_gradient, s[0] * of_mean) / fma(sqrt(s[1]), root, e);
    }

private:
    static double mu(double t) { return 0.9 * (1 - 0.5 * std::pow(0.96, t * 4e-3)); }
};
struct radam : betas {
    static constexpr int slots = 2;
    double count = 0;
    bool adapts = false;
    void begin() {
        power1 *= beta1, power2 *= beta2, count += 1;
        double const most = 2 / (1 - beta2) - 1, rho = most - 2 * count * power2 / (1 - power2);
        adapts = rho > 5;
        double const r = adapts ? std::sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho) * (1 - power2)) : 1;
        alpha = all(rate * r / (1 - power1));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        moments(s, g);
        w = adapts ? w - alpha * s[0] / (sqrt(s[1]) + e) : fnma(alpha, s[0], w);
    }
};
struct qhadam : betas {
    static constexpr int slots = 2;
    vf first{}, second{}, step = all(1e-3), nu1 = all(0.7), rest1 = all(0.3), nu2 = all(0.95), rest2 = all(0.05);
    void begin() {
        power1 *= beta1, power2 *= beta2;
        first = all((1 - beta1) / (1 - power1)), second = all((1 - beta2) / (1 - power2));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        vf const square = g * g;
        s[0] = fma(g - s[0], first, s[0]);
        s[1] = fma(square - s[1], second, s[1]);
        w = w - fma(g, rest1, s[0] * nu1) * step / (sqrt(fma(square, rest2, s[1] * nu2)) + e);
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
