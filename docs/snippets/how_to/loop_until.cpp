// SPDX-License-Identifier: MIT
// The program of docs/how_to/loop_until.md.
// prints: the gradient is right.E = 1[.]1853 in 3 iterations, its slope 1[.]0020 .exact: 1[.]0020..eccentricity 0[.]300
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim places{"places"};
constexpr auto mean_anomaly = xg::input<"mean anomaly", double, places>;
constexpr auto observed = xg::input<"observed", double, places>;
constexpr auto e = xg::variable<"eccentricity", double>;

// Kepler's equation E - e sin E = M, solved by Newton's method. The carries are E and the number of iterations.
constexpr auto residual(auto E) { return E - e * xg::sin(E) - mean_anomaly; }
struct not_solved : xg::region {
    static constexpr auto value(auto E, auto count) {
        return xg::logical_and(xg::greater(xg::max(xg::abs(residual(E))), 1e-12_c), xg::less(count, 50_c));
    }
};
struct newton : xg::region {
    static constexpr auto value(auto E, auto count) { return xg::carry(E - residual(E) / (1_c - e * xg::cos(E)), count + 1_c); }
};
constexpr auto solved = xg::while_loop<not_solved, newton, 50>(xg::carry(mean_anomaly, xg::constant<std::int32_t, 0>));
constexpr auto E = std::get<0>(solved);
constexpr auto iterations = std::get<1>(solved);
constexpr auto loss = xg::mean(xg::squared_error(E, observed));

int main() {
    xg::variables orbit{loss};
    orbit.value(e)() = 0.2;
    std::vector<double> const some{0.3, 1.0, 2.5}, seen{0.5, 1.2, 2.6};
    auto const report = xg::check_gradients(loss, xg::wrt(e, mean_anomaly), orbit, mean_anomaly = some, observed = seen);
    std::puts(report ? "the gradient is right" : report.message.c_str());

    xg::function solve{xg::outputs(E, iterations, xg::gradient_of(xg::sum(E), e)), orbit};
    auto const [root, count, slope] = solve(mean_anomaly = std::vector{1.0});
    double const exact = std::sin(root[0]) / (1 - 0.2 * std::cos(root[0]));   // by the implicit function theorem
    std::printf("E = %.4f in %d iterations, its slope %.4f (exact: %.4f)\n", root[0], static_cast<int>(count), double{slope}, exact);

    std::vector<double> anomalies, places_seen;   // of an orbit with eccentricity 0.3
    for (int i = 1; i < 20; ++i) {
        double const at = 0.3 * i;
        places_seen.push_back(at);
        anomalies.push_back(at - 0.3 * std::sin(at));
    }
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.3});
    train.value(e)() = 0.1;   // not 0: there the start is the solution, so no iteration runs and the slope is 0
    for (int step = 0; step < 100; ++step) train(mean_anomaly = anomalies, observed = places_seen);
    std::printf("eccentricity %.3f\n", train.value(e)());
}
