// SPDX-License-Identifier: MIT
// ode of GradBench with a hand-written reverse sweep through the steps. The suite's manual program has a formula of the exact solution.
#include "gradbench/evals/ode.hpp"

#include "gradbench/main.hpp"

#include <algorithm>
#include <vector>

namespace {
// z = x * (1, v₀, v₁, ...) is the slope at v. This adds the derivatives of z by x and by v, times g.
void add_slopes(std::size_t n, double const* __restrict__ x, double const* __restrict__ v, double const* __restrict__ g,
    double* __restrict__ of_x, double* __restrict__ of_v) {
    of_x[0] += g[0];
    for (std::size_t i = 1; i < n; ++i) of_x[i] += g[i] * v[i - 1];
    for (std::size_t i = 1; i < n; ++i) of_v[i - 1] = g[i] * x[i];
    of_v[n - 1] = 0;
}
class gradient : public Function<ode::Input, ode::GradientOutput> {
    std::vector<double> history_, k_[4], v_[4], g_, of_v_, of_y_, next_;

    // The slopes of a step from y, and where they are taken.
    void take_slopes(std::size_t n, double h, double const* y) {
        double const* const x = _input.x.data();
        double const weight[] = {0, h / 2, h / 2, h};
        for (int s = 0; s < 4; ++s) {
            double const* const before = s > 0 ? k_[s - 1].data() : y;
            double *const v = v_[s].data(), w = weight[s];
            for (std::size_t i = 0; i < n; ++i) v[i] = y[i] + w * before[i];
            ode::ode_fun(n, x, v, k_[s].data());
        }
    }

public:
    explicit gradient(ode::Input& input) : Function(input) {}
    void compute(ode::GradientOutput& output) override {
        std::size_t const n = _input.x.size(), steps = _input.s;
        double const h = 2 / static_cast<double>(steps);
        history_.resize((steps + 1) * n);
        for (int s = 0; s < 4; ++s) k_[s].resize(n), v_[s].resize(n);
        g_.resize(n), of_v_.resize(n), next_.resize(n);
        std::fill_n(history_.begin(), n, 0.0);
        for (std::size_t t = 0; t < steps; ++t) {
            double const* const y = history_.data() + t * n;
            take_slopes(n, h, y);
            for (std::size_t i = 0; i < n; ++i)
                history_[(t + 1) * n + i] = y[i] + h / 6 * (k_[0][i] + 2 * k_[1][i] + 2 * k_[2][i] + k_[3][i]);
        }
        output.assign(n, 0.0);
        of_y_.assign(n, 0.0);
        of_y_[n - 1] = 1;
        for (std::size_t t = steps; t-- > 0;) {
            take_slopes(n, h, history_.data() + t * n);
            double const of_slope[] = {h / 6, h / 3, h / 3, h / 6}, later[] = {h / 2, h / 2, h, 0};
            next_ = of_y_;
            std::fill(of_v_.begin(), of_v_.end(), 0.0);
            for (int s = 4; s-- > 0;) {
                for (std::size_t i = 0; i < n; ++i) g_[i] = of_slope[s] * of_y_[i] + later[s] * of_v_[i];
                add_slopes(n, _input.x.data(), v_[s].data(), g_.data(), output.data(), of_v_.data());
                for (std::size_t i = 0; i < n; ++i) next_[i] += of_v_[i];
            }
            of_y_.swap(next_);
        }
    }
};
}

int main(int argc, char* argv[]) {
    return generic_main(argc, argv, {{"primal", function_main<ode::Primal>}, {"gradient", function_main<gradient>}});
}
