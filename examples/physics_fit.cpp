// SPDX-License-Identifier: MIT
// Parameters of a physical model from measurements, no network: x(t) = A e^(-d t) cos(w t + p), a damped oscillator.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim samples{"samples"};
constexpr auto when = xg::input<"when", double, samples>;           // seconds
constexpr auto measured = xg::input<"measured", double, samples>;   // metres
constexpr auto amplitude = xg::variable<"amplitude", double>;       // metres
constexpr auto damping = xg::variable<"damping", double>;           // 1 / second
constexpr auto frequency = xg::variable<"frequency", double>;       // radians / second
constexpr auto phase = xg::variable<"phase", double>;               // radians

constexpr auto model = amplitude * xg::exp(-(damping * when)) * xg::cos(frequency * when + phase);
constexpr auto loss = xg::mean(xg::squared_error(model, measured));

int main() {
    double const true_values[]{1.5, 0.3, 4.0, 0.6};
    std::vector<double> t, x;
    for (int i = 0; i < 200; ++i) {
        t.push_back(0.05 * i);
        double const noise = 0.01 * std::sin(1000.0 * i * i);   // as good as random
        x.push_back(true_values[0] * std::exp(-true_values[1] * t.back()) * std::cos(true_values[2] * t.back() + true_values[3]) + noise);
    }

    auto fit = xg::minimize(loss, xg::adam{.learning_rate = 0.02});
    auto start = [&](auto const& v, double value) { fit.value(v)[0] = value; };   // a guess from looking at the curve
    start(amplitude, 1.0);
    start(damping, 0.1);
    start(frequency, 3.7);
    start(phase, 0.0);
    for (int step = 0; step <= 2000; ++step) {
        double const value = fit(when = t, measured = x);
        if (step % 400 == 0) std::printf("step %4d   root mean square error %.5f m\n", step, std::sqrt(value));
    }

    double const found[]{fit.value(amplitude)[0], fit.value(damping)[0], fit.value(frequency)[0], fit.value(phase)[0]};
    char const* const names[]{"amplitude", "damping", "frequency", "phase"};
    bool right = true;
    for (int i = 0; i < 4; ++i) {
        std::printf("%-10s true %.4f   found %.4f\n", names[i], true_values[i], found[i]);
        right = right && std::abs(found[i] - true_values[i]) < 0.01;
    }
    return right ? 0 : 1;
}
