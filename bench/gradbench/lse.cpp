// SPDX-License-Identifier: MIT
// GradBench's lse: the logarithm of a sum of exponentials, and its gradient.
#include "protocol.hpp"

#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim n{"n"};
constexpr auto x = xg::input<"x", double, n>;
constexpr auto log_sum = xg::log_sum_exp(x);
constexpr auto slope = xg::gradient_of(log_sum, x);

struct input {
    std::vector<double> x;
    explicit input(gradbench::json const& j) : x(j.at("x").get<std::vector<double>>()) {}
};

struct primal {
    input const& in;
    xg::function<decltype(log_sum)> f{log_sum};
    double result = 0;

    explicit primal(input const& given) : in(given) { f.reserve(n = in.x.size()); }
    void compute() { result = f(x = in.x); }
    gradbench::json output() const { return result; }
};

struct gradient {
    input const& in;
    xg::function<decltype(slope)> f{slope};
    std::vector<double> result;

    explicit gradient(input const& given) : in(given) { f.reserve(n = in.x.size()); }
    void compute() {
        result.resize(in.x.size());
        f.into(result)(x = in.x);
    }
    gradbench::json output() const { return result; }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(argc, argv, {{"primal", gradbench::run<input, primal>}, {"gradient", gradbench::run<input, gradient>}});
}
