// SPDX-License-Identifier: MIT
// Hand-written update rules without the moments of Adam, one vector of the variable and its slots at a time. Each formula is that of the
// rule of the same name in xgrad/optim.
#pragma once

#include "vec.hpp"

#include <algorithm>
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
    vf rate = all(0.1), b = all(0.9), r = all(0.1), up = all(2), down = all(0);   // 1 + the product of the signs
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g, r, s[0] * b);
        vf const agree = g * s[0];
        w = fnma((agree > vf{} ? up : agree < vf{} ? down : set1<vf>(1)) * g, rate, w);
    }
};
struct power_sign : add_sign {
    power_sign() { up = all(std::exp(1.0)), down = all(std::exp(-1.0)); }   // e to that product
};
struct momentum_w : momentum {
    vf keep = all(0.99);
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(s[0], decay, g);
        w = fnma(s[0], rate, w * keep);
    }
};
struct pytorch_adagrad {
    static constexpr int slots = 1;
    vf rate = all(0.01), e = all(1e-10);
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g, g, s[0]);
        w = w - rate * g / (sqrt(s[0]) + e);
    }
};
struct adagrad_da {
    static constexpr int slots = 2;
    double step = 0;
    vf rate = all(-0.01), length{}, below{};
    static float start(int k, float) { return k == 1 ? 0.1f : 0; }
    void begin() {
        step += 1;
        length = all(0.01 * step), below = all(0.02 * step * 0.01);
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = s[0] + g;
        s[1] = fma(g, g, s[1]);
        w = copysign(max(abs(s[0]) - length, vf{}), s[0]) * rate / (below + sqrt(s[1]));
    }
};
struct proximal_gradient_descent {
    static constexpr int slots = 0;
    vf rate = all(0.01), length = all(0.01 * 0.01), share = all(1 / (1 + 0.02 * 0.01));
    void begin() {}
    HAND_INLINE void update(vf& w, vf*, vf g) const {
        vf const x = fnma(rate, g, w);
        w = copysign(max(abs(x) - length, vf{}) * share, x);
    }
};
struct proximal_adagrad {
    static constexpr int slots = 1;
    vf rate = all(0.01), l1 = all(0.01), l2 = all(0.02);
    static float start(int, float) { return 0.1f; }
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(g, g, s[0]);
        vf const e = rate / sqrt(s[0]), x = fnma(g, e, w);
        w = copysign(max(fnma(e, l1, abs(x)), vf{}), x) / fma(l2, e, set1<vf>(1));
    }
};
struct centered_rms_prop : rms_prop {
    static constexpr int slots = 3;
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(fma(g, g, vf{} - s[0]), c, s[0]);
        s[1] = fma(g - s[1], c, s[1]);
        s[2] = fma(s[2], decay, g * rate / sqrt(fnma(s[1], s[1], s[0]) + e));
        w = w - s[2];
    }
};
struct pytorch_rms_prop {
    static constexpr int slots = 2;
    vf rate = all(0.01), c = all(0.01), decay = all(0.5), e = all(1e-8);
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(fma(g, g, vf{} - s[0]), c, s[0]);
        s[1] = fma(s[1], decay, g / (sqrt(s[0]) + e));
        w = fnma(s[1], rate, w);
    }
};
struct pytorch_centered_rms_prop : pytorch_rms_prop {
    static constexpr int slots = 3;
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[0] = fma(fma(g, g, vf{} - s[0]), c, s[0]);
        s[1] = fma(g - s[1], c, s[1]);
        s[2] = fma(s[2], decay, g / (sqrt(fnma(s[1], s[1], s[0])) + e));
        w = fnma(s[2], rate, w);
    }
};
struct rprop {
    static constexpr int slots = 2;
    vf shrink = all(0.5), grow = all(1.2), least = all(1e-6), most = all(50);
    static float start(int k, float) { return k == 1 ? 0.01f : 0; }
    void begin() {}
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        vf const q = g * s[0];
        s[1] = min(max(s[1] * (q < vf{} ? shrink : q > vf{} ? grow : set1<vf>(1)), least), most);
        s[0] = q < vf{} ? vf{} : g;
        w = fnma(sign(s[0]), s[1], w);
    }
};
struct asgd {
    static constexpr int slots = 1;
    double step = 0;
    vf rate{}, keep{}, weight{};
    void begin() {
        double const now = 0.01 / std::pow(1 + 1e-4 * 0.01 * step, 0.75);
        rate = all(now), keep = all(1 - 1e-4 * now), weight = all(1 / std::max(1.0, step));
        step += 1;
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        w = fnma(g, rate, w * keep);
        s[0] = fma(w - s[0], weight, s[0]);
    }
};
/// What both rules without a schedule share: all steps have the same weight where the rate is constant.
struct schedule_free {
    double constant = 0.1, count = 0;
    vf rate{}, share{}, along{}, decay = all(0.01);
    static float start(int k, float w) { return k == 0 ? w : 0; }
    void begin() {
        count += 1;
        rate = all(constant), share = all(1 / count), along = all(constant * (0.9 * (1 - 1 / count) - 1));
    }
    HAND_INLINE void move(vf& w, vf& z, vf g) const {
        vf const d = fma(w, decay, g);
        w = fma(d, along, fma(z - w, share, w));
        z = fnma(d, rate, z);
    }
};
struct schedule_free_sgd : schedule_free {
    static constexpr int slots = 1;
    HAND_INLINE void update(vf& w, vf* s, vf g) const { move(w, s[0], g); }
};
struct schedule_free_adamw : schedule_free {
    static constexpr int slots = 2;
    double power2 = 1;
    vf c2 = all(0.001), root{}, e = all(1e-8);
    schedule_free_adamw() { constant = 2.5e-3; }
    void begin() {
        schedule_free::begin();
        power2 *= 0.999;
        root = all(1 / std::sqrt(1 - power2));
    }
    HAND_INLINE void update(vf& w, vf* s, vf g) const {
        s[1] = fma(fma(g, g, vf{} - s[1]), c2, s[1]);
        move(w, s[0], g / fma(sqrt(s[1]), root, e));
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
