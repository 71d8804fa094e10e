// SPDX-License-Identifier: MIT
// saddle of GradBench with hand-written derivatives, on the suite's gradient descent. The suite has no such program.
#include "gradbench/evals/saddle.hpp"

#include "gradbench/gd.hpp"
#include "gradbench/main.hpp"

namespace {
struct of_y {
    double const* x;
    std::size_t input_size() const { return 2; }
    void objective(double const* y, double* out) const { *out = saddle::objective(x[0], x[1], y[0], y[1]); }
    void gradient(double const* y, double* out) const {
        out[0] = -2 * y[0];
        out[1] = -2 * y[1];
    }
};
struct of_x {
    double const* start;
    std::size_t input_size() const { return 2; }
    void objective(double const* x, double* out) const { *out = multivariate_max(of_y{x}, start); }
    void gradient(double const* x, double* out) const {   // the best y does not depend on x
        out[0] = 2 * x[0];
        out[1] = 2 * x[1];
    }
};
class solver : public Function<saddle::Input, saddle::Output> {
public:
    explicit solver(saddle::Input& input) : Function(input) {}
    void compute(saddle::Output& output) override {
        auto const x = multivariate_argmin(of_x{_input.start}, _input.start);
        auto const y = multivariate_argmax(of_y{x.data()}, _input.start);
        output = {x[0], x[1], y[0], y[1]};
    }
};
}

int main(int argc, char* argv[]) {
    return generic_main(argc, argv,
        {{"ff", function_main<solver>}, {"fr", function_main<solver>}, {"rf", function_main<solver>}, {"rr", function_main<solver>}});
}
