// SPDX-License-Identifier: MIT
// particle of GradBench: gradient descent by the place of a charge, through Euler steps that read the gradient of a potential.
#include "descent.hpp"
#include "protocol.hpp"

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using gradbench::mode, gradbench::slopes;

constexpr auto start = xg::input<"start", double>;
constexpr auto zero = xg::constant<double, 0>;
constexpr auto time_step = 0.1_c;
constexpr int capacity = 1000;   // Euler steps

constexpr auto potential(auto w, auto x, auto y) {
    return xg::rsqrt(gradbench::squares(x - 10_c, y)) + xg::rsqrt(gradbench::squares(x - 10_c, y - (10_c - w)));
}
struct is_above : xg::region {
    static constexpr auto value(auto, auto, auto y, auto, auto vy) { return xg::greater_equal(y + time_step * vy, 0_c); }
};
template<mode M>
struct euler : xg::region {
    static constexpr auto value(auto w, auto x, auto y, auto vx, auto vy) {
        auto const [gx, gy] = slopes<M>(potential(w, x, y), x, y);
        return xg::carry(w, x + time_step * vx, y + time_step * vy, vx - time_step * gx, vy - time_step * gy);
    }
};
/// The square of where the particle meets the x axis.
template<mode M>
constexpr auto miss(auto w) {
    auto const r =
        xg::while_loop<is_above, euler<M>, capacity>(xg::carry(w, zero, xg::constant<double, 8>, xg::cast<double>(0.75_c), zero));
    auto const [x, y, vx, vy] = std::tuple{std::get<1>(r), std::get<2>(r), std::get<3>(r), std::get<4>(r)};
    return xg::square(x - y / vy * vx);
}
struct goes_on : xg::region {
    static constexpr auto value(auto w, auto, auto g, auto eta, auto count) {
        return gradbench::goes_on(eta, count, std::tuple{g}, std::tuple{w});
    }
};
template<mode Outer, mode Inner>
struct step : xg::region {
    static constexpr auto value(auto w, auto loss, auto g, auto eta, auto count) {
        auto const next_w = w - gradbench::rate_now(eta, count) * g;
        auto const next = miss<Inner>(next_w);
        auto const [slope] = slopes<Outer>(next, next_w);
        auto const good = xg::less(next, loss);
        auto const [rate, accepted] = gradbench::next_rate(good, eta, count);
        return xg::carry(xg::select(good, next_w, w), xg::select(good, next, loss), xg::select(good, slope, g), rate, accepted);
    }
};
template<mode Outer, mode Inner>
constexpr auto solve() {
    auto const loss = miss<Inner>(start);
    auto const [slope] = slopes<Outer>(loss, start);
    return std::get<0>(xg::while_loop<goes_on, step<Outer, Inner>>(xg::carry(start, loss, slope, xg::cast<double>(1e-5_c), zero)));
}

struct input {
    double w;
    explicit input(gradbench::json const& j) : w(j.at("w").get<double>()) {}
};
template<mode Outer, mode Inner>
struct work {
    input const& in;
    xg::function<decltype(solve<Outer, Inner>())> f{solve<Outer, Inner>()};
    double result = 0;

    explicit work(input const& given) : in(given) {}
    void compute() { result = f(start = in.w); }
    gradbench::json output() const { return result; }
};
}

int main(int argc, char** argv) {
    using enum mode;
    using gradbench::run;
    return gradbench::answer_all(argc, argv,
        {{"ff", run<input, work<forward, forward>>}, {"fr", run<input, work<forward, reverse>>}, {"rf", run<input, work<reverse, forward>>},
            {"rr", run<input, work<reverse, reverse>>}});
}
