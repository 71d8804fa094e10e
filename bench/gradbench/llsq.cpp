// SPDX-License-Identifier: MIT
// GradBench's llsq: the squared error of a polynomial with the coefficients x, against a step from -1 to 1, at n points; and its gradient.
#include "protocol.hpp"

#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim n{"n"};
inline constexpr xg::dim m{"m"};
constexpr auto x = xg::input<"x", double, m>;
constexpr auto t = xg::input<"t", double, n>;

/// A step of Horner's scheme at all points.
struct horner : xg::region {
    static constexpr auto value(auto so_far, auto coefficient) { return xg::carry(so_far * t + coefficient); }
};

constexpr auto start = xg::broadcast_to<n>(xg::constant<double, 0>);
constexpr auto fitted = std::get<0>(xg::scan<horner>(xg::carry(start), xg::flip(x)));
constexpr auto error = xg::sum(xg::square(xg::sign(t) - fitted)) / 2_c;
constexpr auto slope = xg::gradient_of(error, x);

struct input {
    std::vector<double> x;
    std::int64_t n;
    explicit input(gradbench::json const& j) : x(j.at("x").get<std::vector<double>>()), n(j.at("n").get<std::int64_t>()) {}
};

/// The n points from -1 to 1; both functions make them in each evaluation, like the suite's program.
void fill(std::vector<double>& points) {
    double const step = static_cast<double>(points.size()) - 1;
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = -1 + static_cast<double>(i) * 2 / step;
}

struct primal {
    input const& in;
    xg::function<decltype(error)> f{error};
    std::vector<double> points;
    double result = 0;

    explicit primal(input const& given) : in(given), points(static_cast<std::size_t>(in.n)) { f.reserve(n = in.n, m = in.x.size()); }
    void compute() {
        fill(points);
        result = f(x = in.x, t = points);
    }
    gradbench::json output() const { return result; }
};

struct gradient {
    input const& in;
    xg::function<decltype(slope)> f{slope};
    std::vector<double> points, result;

    explicit gradient(input const& given) : in(given), points(static_cast<std::size_t>(in.n)) { f.reserve(n = in.n, m = in.x.size()); }
    void compute() {
        fill(points);
        result.resize(in.x.size());
        f.into(result)(x = in.x, t = points);
    }
    gradbench::json output() const { return result; }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(argc, argv, {{"primal", gradbench::run<input, primal>}, {"gradient", gradbench::run<input, gradient>}});
}
