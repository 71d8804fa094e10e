// SPDX-License-Identifier: MIT
// saddle of GradBench: the minimum over x of the maximum over y, by gradient descent in gradient descent.
#include "descent.hpp"
#include "protocol.hpp"

#include <array>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using gradbench::mode, gradbench::slopes;

constexpr auto start1 = xg::input<"start1", double>;
constexpr auto start2 = xg::input<"start2", double>;
constexpr auto f(auto x1, auto x2, auto y1, auto y2) { return (x1 * x1 + x2 * x2) - (y1 * y1 + y2 * y2); }
constexpr auto rate = xg::cast<double>(1e-5_c);
constexpr auto zero = xg::constant<double, 0>;
constexpr int capacity = 1000;

// The descent of -f along y at fixed x. The carries: x, y, rate, accepted steps since the rate changed.
constexpr auto loss_of_y(auto x1, auto x2, auto y1, auto y2) { return -f(x1, x2, y1, y2); }
template<mode M>
struct y_goes_on : xg::region {
    static constexpr auto value(auto x1, auto x2, auto y1, auto y2, auto eta, auto count) {
        return gradbench::goes_on(eta, count, slopes<M>(loss_of_y(x1, x2, y1, y2), y1, y2), std::tuple{y1, y2});
    }
};
template<mode M>
struct y_step : xg::region {
    static constexpr auto value(auto x1, auto x2, auto y1, auto y2, auto eta, auto count) {
        auto const [g1, g2] = slopes<M>(loss_of_y(x1, x2, y1, y2), y1, y2);
        auto const n1 = y1 - gradbench::rate_now(eta, count) * g1;
        auto const n2 = y2 - gradbench::rate_now(eta, count) * g2;
        auto const good = xg::less(loss_of_y(x1, x2, n1, n2), loss_of_y(x1, x2, y1, y2));
        auto const [rate, accepted] = gradbench::next_rate(good, eta, count);
        return xg::carry(x1, x2, xg::select(good, n1, y1), xg::select(good, n2, y2), rate, accepted);
    }
};
template<mode M>
constexpr auto best_y(auto x1, auto x2) {
    auto const r = xg::while_loop<y_goes_on<M>, y_step<M>, capacity>(xg::carry(x1, x2, xg::stop_gradient(start1), xg::stop_gradient(start2), rate, zero));
    return std::tuple{std::get<2>(r), std::get<3>(r)};
}
// The descent of the maximum along x.
template<mode Outer, mode Inner>
struct largest {
    static constexpr auto value(auto x1, auto x2) {
        auto const [y1, y2] = best_y<Inner>(x1, x2);
        return f(x1, x2, y1, y2);
    }
    static constexpr auto slope(auto x1, auto x2) { return slopes<Outer>(value(x1, x2), x1, x2); }
};
struct x_goes_on : xg::region {
    static constexpr auto value(auto x1, auto x2, auto, auto g1, auto g2, auto eta, auto count) {
        return gradbench::goes_on(eta, count, std::tuple{g1, g2}, std::tuple{x1, x2});
    }
};
template<mode Outer, mode Inner>
struct x_step : xg::region {
    static constexpr auto value(auto x1, auto x2, auto loss, auto g1, auto g2, auto eta, auto count) {
        auto const n1 = x1 - gradbench::rate_now(eta, count) * g1;
        auto const n2 = x2 - gradbench::rate_now(eta, count) * g2;
        auto const next = largest<Outer, Inner>::value(n1, n2);
        auto const [s1, s2] = largest<Outer, Inner>::slope(n1, n2);
        auto const good = xg::less(next, loss);
        auto const [rate, accepted] = gradbench::next_rate(good, eta, count);
        return xg::carry(xg::select(good, n1, x1), xg::select(good, n2, x2), xg::select(good, next, loss), xg::select(good, s1, g1),
            xg::select(good, s2, g2), rate, accepted);
    }
};
template<mode Outer, mode Inner>
constexpr auto solve() {
    using m = largest<Outer, Inner>;
    auto const [g1, g2] = m::slope(start1, start2);
    auto const r = xg::while_loop<x_goes_on, x_step<Outer, Inner>>(
        xg::carry(start1, start2, m::value(start1, start2), g1, g2, rate, zero));
    auto const x1 = std::get<0>(r);
    auto const x2 = std::get<1>(r);
    auto const [y1, y2] = best_y<Inner>(x1, x2);
    return xg::outputs(x1, x2, y1, y2);
}

struct input {
    std::array<double, 2> start;
    explicit input(gradbench::json const& j) : start{j.at("start").at(0).get<double>(), j.at("start").at(1).get<double>()} {}
};
template<mode Outer, mode Inner>
struct work {
    input const& in;
    xg::function<decltype(solve<Outer, Inner>())> f{solve<Outer, Inner>()};
    std::array<double, 4> result{};

    explicit work(input const& given) : in(given) {}
    void compute() {
        auto const [x1, x2, y1, y2] = f(start1 = in.start[0], start2 = in.start[1]);
        result = {x1, x2, y1, y2};
    }
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
