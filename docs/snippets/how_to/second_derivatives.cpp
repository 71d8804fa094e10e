// SPDX-License-Identifier: MIT
// The program of docs/how_to/second_derivatives.md.
// prints: step 7: 2.5000 0.8000 0.3000, loss 0.000000.*convex: yes
#include <xgrad/all.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim points{"points"};
constexpr auto t = xg::input<"t", double, points>;
constexpr auto y = xg::input<"y", double, points>;
constexpr auto p = xg::input<"p", double, 3>;   // the parameters
constexpr auto v = xg::input<"v", double, 3>;   // a direction

constexpr auto model = xg::slice<0, 0, 1>(p) * xg::exp(-xg::slice<0, 1, 2>(p) * t) + xg::slice<0, 2, 3>(p);
constexpr auto residual = model - y;   // [points]
constexpr auto loss = xg::sum(xg::square(residual)) / 2_c;

using vector = std::array<double, 3>;
double dot(vector const& a, vector const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
vector sum(vector const& a, double factor, vector const& b) { return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]}; }

int main() {
    std::vector<double> time, value;
    for (int i = 0; i < 20; ++i) {
        time.push_back(0.2 * i);
        value.push_back(2.5 * std::exp(-0.8 * time.back()) + 0.3);
    }
    xg::function slope{xg::outputs(loss, xg::gradient_of(loss, p))};
    xg::function product{xg::gauss_newton_vp(residual, p, v)};   // JᵀJ v
    xg::function curvature{xg::hessian(loss, p)};                // [3, 3]

    vector at{1, 0.5, 0};
    for (int step = 0; step < 8; ++step) {
        auto const [l, g] = slope(t = time, y = value, p = at);
        std::printf("step %d: %.4f %.4f %.4f, loss %.6f\n", step, at[0], at[1], at[2], static_cast<double>(l));
        // Conjugate gradients solve JᵀJ d = -g, with three products for three parameters.
        vector d{}, r{-g[0], -g[1], -g[2]}, q = r;
        for (int k = 0; k < 3 && dot(r, r) > 1e-24; ++k) {
            auto const jjq = product(t = time, y = value, p = at, v = q);
            vector const a{jjq[0], jjq[1], jjq[2]};
            double const before = dot(r, r), length = before / dot(q, a);
            d = sum(d, length, q);
            r = sum(r, -length, a);
            q = sum(r, dot(r, r) / before, q);
        }
        at = sum(at, 1, d);
    }
    auto const h = curvature(t = time, y = value, p = at);
    bool const convex = h(0, 0) > 0 && h(0, 0) * h(1, 1) > h(0, 1) * h(1, 0);
    std::printf("convex: %s\n", convex ? "yes" : "no");
}
