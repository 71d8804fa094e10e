// SPDX-License-Identifier: MIT
// GradBench's hello: x² and its derivative.
#include "protocol.hpp"

#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
constexpr auto x = xg::input<"x", double>;
constexpr auto squared = xg::square(x);

struct input {
    double x;
    explicit input(gradbench::json const& j) : x(j.get<double>()) {}
};

template<auto Output>
struct work {
    input const& in;
    xg::function<decltype(Output)> f{Output};
    double result = 0;

    explicit work(input const& given) : in(given) {}
    void compute() { result = f(x = in.x); }
    gradbench::json output() const { return result; }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(argc, argv,
        {{"square", gradbench::run<input, work<squared>>}, {"double", gradbench::run<input, work<xg::gradient_of(squared, x)>>}});
}
