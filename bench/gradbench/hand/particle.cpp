// SPDX-License-Identifier: MIT
// particle of GradBench with hand-written derivatives, on the suite's gradient descent. The suite has no such program.
#include "gradbench/evals/particle.hpp"

#include "gradbench/gd.hpp"
#include "gradbench/main.hpp"

#include <cmath>

namespace {
constexpr double time_step = 0.1;

// The gradient of the potential by the place, and with Slope its derivative along the tangents of place and w.
template<bool Slope>
void force(double w, double x, double y, double tx, double ty, double& gx, double& gy, double& tgx, double& tgy) {
    gx = gy = tgx = tgy = 0;
    for (int i = 0; i < 2; ++i) {
        double const dx = x - 10, dy = i == 0 ? y : y - (10 - w), r2 = dx * dx + dy * dy, r3 = 1 / (r2 * std::sqrt(r2));
        gx -= dx * r3;
        gy -= dy * r3;
        if constexpr (Slope) {
            double const tdy = i == 0 ? ty : ty + 1, along = 3 * (dx * tx + dy * tdy) * r3 / r2;
            tgx -= tx * r3 - dx * along;
            tgy -= tdy * r3 - dy * along;
        }
    }
}
template<bool Slope>
double miss(double w) {
    double x = 0, y = 8, vx = 0.75, vy = 0, tx = 0, ty = 0, tvx = 0, tvy = 0, gx, gy, tgx, tgy;
    while (y + time_step * vy >= 0) {
        force<Slope>(w, x, y, tx, ty, gx, gy, tgx, tgy);
        x += time_step * vx;
        y += time_step * vy;
        vx -= time_step * gx;
        vy -= time_step * gy;
        if constexpr (Slope) {
            tx += time_step * tvx;
            ty += time_step * tvy;
            tvx -= time_step * tgx;
            tvy -= time_step * tgy;
        }
    }
    double const left = -y / vy, at = x + left * vx;
    if constexpr (!Slope) return at * at;
    else return 2 * at * (tx + left * tvx + (-ty - left * tvy) / vy * vx);
}
struct of_w {
    std::size_t input_size() const { return 1; }
    void objective(double const* w, double* out) const { *out = miss<false>(*w); }
    void gradient(double const* w, double* out) const { *out = miss<true>(*w); }
};
class solver : public Function<particle::Input, particle::Output> {
public:
    explicit solver(particle::Input& input) : Function(input) {}
    void compute(particle::Output& output) override { output = multivariate_argmin(of_w{}, &_input.w0)[0]; }
};
}

int main(int argc, char* argv[]) {
    return generic_main(argc, argv,
        {{"ff", function_main<solver>}, {"fr", function_main<solver>}, {"rf", function_main<solver>}, {"rr", function_main<solver>}});
}
