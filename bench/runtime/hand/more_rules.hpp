// SPDX-License-Identifier: MIT
// More update rules by hand, one vector of the variable and its slots at a time. Each formula is that of the rule of the same name in xgrad/optim.
#pragma once

#include "vec.hpp"

#include <cmath>

namespace hand {
inline namespace HAND_NAMESPACE {

HAND_INLINE vf all(double x) { return set1<vf>(float(x)); }
/// −1, 0 or 1.
HAND_INLINE vf sign(vf x) { return copysign((vf)((vi)(x != vf{}) & (vi)set1<vf>(1)), x); }

struct gradient_descent {
    static constexpr int slots = 0;
    vf rate = all(0.01);
    void begin() {}
    HAND_INLINE void update(vf& w, vf*, vf g) const { w = fnma(rate, g, w); }
};
struct momentum {
    static constexpr int slots = 1;
    vf rate = all(0.01), decay = all(0.9);
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(s[0], decay, g);
        w = fnma(s[0], rate, w);
    }
};
struct nesterov : momentum {
    vf both = all(0.009);
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(s[0], decay, g);
        w = fnma(s[0], both, fnma(g, rate, w));
    }
};
struct adadelta {
    static constexpr int slots = 2;
    vf rate = all(1e-3), rho = all(0.95), rest = all(0.05), e = all(1e-8);
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g * g, rest, s[0] * rho);
        vf const u = sqrt((s[1] + e) / (s[0] + e)) * g;
        s[1] = fma(u * u, rest, s[1] * rho);
        w = fnma(u, rate, w);
    }
};
struct rms_prop {
    static constexpr int slots = 2;
    vf rate = all(1e-3), c = all(0.1), decay = all(0.5), e = all(1e-10);
    static float start(int k, float) { return k == 0 ? 1 : 0; }
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(fma(g, g, vf{} - s[0]), c, s[0]);
        s[1] = fma(s[1], decay, g * rate / sqrt(s[0] + e));
        w = w - s[1];
    }
};
/// The powers of Adam's betas, and what they make of the rate.
struct betas {
    double beta1 = 0.9, beta2 = 0.999, power1 = 1, power2 = 1;
    vf c1 = all(0.1), c2 = all(0.001), e = all(1e-8), alpha{};
    void begin() {
        power1 *= beta1;
        power2 *= beta2;
        alpha = all(1e-3 * std::sqrt(1 - power2) / (1 - power1));
    }
    HAND_INLINE void moments(vf* s, vf g) const {
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = fma(fma(g, g, vf{} - s[1]), c2, s[1]);
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
        alpha = all(1e-3 / (1 - power1));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = max(s[1] * keep, abs(g));
        w = w - alpha * s[0] / (s[1] + e);
    }
};
struct lion {
    static constexpr int slots = 1;
    vf rate = all(1e-4), b1 = all(0.9), r1 = all(0.1), b2 = all(0.99), r2 = all(0.01), decay = all(0.1);
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        vf const c = fma(g, r1, s[0] * b1);
        w = fnma(fma(w, decay, sign(c)), rate, w);
        s[0] = fma(g, r2, s[0] * b2);
    }
};
struct signum {
    static constexpr int slots = 1;
    vf rate = all(1e-3), b = all(0.9), r = all(0.1);
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g, r, s[0] * b);
        w = fnma(sign(s[0]), rate, w);
    }
};
struct add_sign {
    static constexpr int slots = 1;
    vf rate = all(0.1), b = all(0.9), r = all(0.1);
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g, r, s[0] * b);
        w = fnma((set1<vf>(1) + sign(g) * sign(s[0])) * g, rate, w);
    }
};
struct adabelief : betas {
    static constexpr int slots = 2;
    vf step{}, root{}, tiny = all(1e-16);
    void begin() {
        power1 *= beta1;
        power2 *= beta2;
        step = all(1e-3 / (1 - power1));
        root = all(1 / std::sqrt(1 - power2));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g - s[0], c1, s[0]);
        vf const off = g - s[0];
        s[1] = fma(fma(off, off, vf{} - s[1]), c2, s[1]) + tiny;
        w = w - step * s[0] / fma(sqrt(s[1]), root, tiny);
    }
};
struct yogi : betas {
    static constexpr int slots = 2;
    vf step{}, root{}, e3 = all(1e-3);
    static float start(int, float) { return 1e-6f; }
    void begin() {
        power1 *= beta1;
        power2 *= beta2;
        step = all(0.01 / (1 - power1));
        root = all(1 / std::sqrt(1 - power2));
    }
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
    vf rate = all(1e-3), c1 = all(0.02), c2 = all(0.08), c3 = all(0.01), first{}, second{}, root{}, e = all(1e-8), difference = all(0);
    bool begun = false;
    void begin() {
        power1 *= 0.98, power2 *= 0.92, power3 *= 0.99;
        first = all(1 / (1 - power1)), second = all(0.08 / (1 - power2)), root = all(1 / std::sqrt(1 - power3));
        difference = all(begun ? 1 : 0);
        begun = true;
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        vf const d = (g - s[3]) * difference, ahead = fma(d, c2, g);
        s[0] = fma(g - s[0], c1, s[0]);
        s[1] = fma(d - s[1], c2, s[1]);
        s[2] = fma(fma(ahead, ahead, vf{} - s[2]), c3, s[2]);
        s[3] = g;
        w = fnma(fma(s[1], second, s[0] * first) / fma(sqrt(s[2]), root, e), rate, w);
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
