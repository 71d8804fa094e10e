// SPDX-License-Identifier: MIT
// GradBench's ode: y' = x * (1, y₀, y₁, ...) from 0 to time 2 by s steps of Runge and Kutta, and the gradient of the last element of y.
#include "protocol.hpp"

#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim n{"n"};
inline constexpr xg::dim s{"s"};
constexpr auto x = xg::input<"x", double, n>;
constexpr auto lengths = xg::input<"lengths", double, s>;   // of the steps

constexpr auto one = xg::broadcast_to<1>(xg::constant<double, 1>);

/// A step for (1, y).
struct step : xg::region {
    static constexpr auto slope(auto with_one) { return x * xg::slice<0, 0, n>(with_one); }
    static constexpr auto value(auto before, auto h) {
        auto const y = xg::slice<0, 1, n + 1>(before);
        auto const k1 = slope(before);
        auto const k2 = slope(xg::concat<0>(one, y + h / 2_c * k1));
        auto const k3 = slope(xg::concat<0>(one, y + h / 2_c * k2));
        auto const k4 = slope(xg::concat<0>(one, y + h * k3));
        return xg::carry(xg::concat<0>(one, y + h / 6_c * (k1 + 2_c * k2 + 2_c * k3 + k4)));
    }
};
constexpr auto start = xg::concat<0>(one, xg::broadcast_to<n>(xg::constant<double, 0>));
constexpr auto y = xg::slice<0, 1, n + 1>(std::get<0>(xg::scan<step>(xg::carry(start), lengths)));
constexpr auto slope = xg::gradient_of(xg::slice<0, n - 1, n>(y), x);

struct input {
    std::vector<double> x, lengths;
    explicit input(gradbench::json const& j) : x(j.at("x").get<std::vector<double>>()) {
        auto const steps = j.at("s").get<std::size_t>();
        lengths.assign(steps, 2 / static_cast<double>(steps));
    }
};

template<auto Output>
struct work {
    input const& in;
    xg::function<decltype(Output)> f{Output};
    std::vector<double> result;

    explicit work(input const& given) : in(given) { f.reserve(n = in.x.size(), s = in.lengths.size()); }
    void compute() {
        result.resize(in.x.size());
        f.into(result)(x = in.x, lengths = in.lengths);
    }
    gradbench::json output() const { return result; }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(
        argc, argv, {{"primal", gradbench::run<input, work<y>>}, {"gradient", gradbench::run<input, work<slope>>}});
}
