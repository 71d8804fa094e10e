// SPDX-License-Identifier: MIT
// A yield curve by L-BFGS: the six parameters of the Nelson–Siegel–Svensson model.
// Data: the par yields of the U.S. Treasury on 1 September 2023 (home.treasury.gov; a work of the U.S. government, in the public domain).
#include <xgrad/train/calibrate.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim maturities{"maturities"};
constexpr auto years = xg::input<"years", double, maturities>;
constexpr auto yields = xg::input<"yields", double, maturities>;   // per cent a year
constexpr auto beta = xg::variable<"beta", double, 4>;             // level, slope, two humps
constexpr auto log_tau = xg::variable<"log_tau", double, 2>;       // where the humps are, in years; the logarithm keeps them positive

constexpr auto at(auto const& v, auto k) { return xg::squeeze<0>(xg::slice<0, k.value, k.value + 1>(v)); }
template<int K>
using number = std::integral_constant<int, K>;
constexpr auto in_1 = years / xg::exp(at(log_tau, number<0>{}));
constexpr auto in_2 = years / xg::exp(at(log_tau, number<1>{}));
constexpr auto slope = (1_c - xg::exp(-in_1)) / in_1;
constexpr auto second = (1_c - xg::exp(-in_2)) / in_2 - xg::exp(-in_2);
constexpr auto curve = at(beta, number<0>{}) + at(beta, number<1>{}) * slope + at(beta, number<2>{}) * (slope - xg::exp(-in_1)) +
                       at(beta, number<3>{}) * second;
constexpr auto loss = xg::mean(xg::square(100_c * (curve - yields)));   // in basis points: tolerances are in the units of the loss

int main() {
    double const when[]{1 / 12., 2 / 12., 3 / 12., 4 / 12., .5, 1, 2, 3, 5, 7, 10, 20, 30};
    double const quoted[]{5.51, 5.55, 5.53, 5.58, 5.47, 5.36, 4.87, 4.57, 4.29, 4.27, 4.18, 4.48, 4.29};

    auto fit = xg::calibrate(loss, xg::lbfgs{.history = 12, .max_iterations = 500, .gradient_tolerance = 1e-6});
    double const start[]{4, 1, 0, 0};   // the long end; what the short end is above it; no humps
    fit.assign(beta, start);
    fit.value(log_tau)[0] = std::log(1.0);
    fit.value(log_tau)[1] = std::log(8.0);
    auto const found = fit.watched(
        [](xg::calibration_result const& now) {
            if (now.iterations % 10 == 0)
                std::printf(
                    "iteration %3d   error %.3f bp   largest gradient %.1e\n", now.iterations, std::sqrt(now.loss), now.gradient_norm);
        },
        years = when, yields = quoted);
    std::printf("ended by %s: %d iterations, %d evaluations, %.3f bp, largest gradient %.1e\n", xg::name_of(found.end).data(),
        found.iterations, found.evaluations, std::sqrt(found.loss), found.gradient_norm);
    auto const b = fit.value(beta), t = fit.value(log_tau);
    std::printf("beta %.4f %.4f %.4f %.4f   tau %.3f %.3f years\n", b[0], b[1], b[2], b[3], std::exp(t[0]), std::exp(t[1]));

    xg::function model{curve, fit};
    auto const fitted = model(years = when);
    std::printf("  years   quoted   fitted\n");
    for (int i = 0; i < 13; ++i) std::printf("%7.2f   %6.2f   %6.3f\n", when[i], quoted[i], fitted[i]);
    return found && std::sqrt(found.loss) < 10 ? 0 : 1;
}
