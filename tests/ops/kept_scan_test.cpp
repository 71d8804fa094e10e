// SPDX-License-Identifier: MIT
// Values that a loop keeps for its gradient, compared with a body that computes them again.
#include "ops/kept.hpp"

using namespace kept_values_test;

namespace {
constexpr auto rows = xg::input<"rows", double, 5, 4, 6>;
constexpr auto number = xg::input<"number", std::int32_t>;

// A loop and a call in the body. The gradient reads one of the emitted values.
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = xg::tanh(xg::matmul(xg::call<block>(h), u) + row);
        return xg::carry(next * 0.5_c + h).emit(next, xg::sum(next * h));
    }
};
template<bool Again>
struct of_scan {
    static constexpr auto results = xg::scan<body<Again, cell>>(xg::carry(x).turns(number), rows);
    static constexpr auto emitted = std::get<1>(results);
    static constexpr auto loss =
        xg::sum(xg::square(std::get<0>(results))) + xg::sum(emitted * emitted * emitted) + xg::sum(std::get<2>(results));
    static constexpr auto first = xg::gradients(loss, x, rows, u);
    static constexpr auto second =
        xg::gradients(xg::sum(xg::sin(std::get<0>(first))) + xg::sum(xg::square(std::get<2>(first))), x, rows, u);
};
}

TEST_CASE("kept values of a loop give the derivatives that values computed again give, of two orders and for each number of iterations") {
    function_of<decltype(derivatives<of_scan<false>>()), true> f{derivatives<of_scan<false>>()};
    function_of<decltype(derivatives<of_scan<true>>()), true> g{derivatives<of_scan<true>>()};
    auto const R = test::numbers<double>({5, 4, 6}, -1, 1, 4);
    for (std::int32_t n : {5, 0, 1, 2}) same(f(x = X, u = U, rows = R, number = n), g(x = X, u = U, rows = R, number = n));
}
