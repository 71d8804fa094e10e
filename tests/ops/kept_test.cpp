// SPDX-License-Identifier: MIT
// Values that layers and calls keep for their gradients, compared with bodies that compute them again.
#include "ops/kept.hpp"

using namespace kept_values_test;

namespace {
constexpr auto w = xg::input<"w", double, 3, 6, 6>;
// A product, a normalized row, a softmax, the result of a lookup: costly values with cheap ones between them.
struct layer : xg::region {
    static constexpr auto value(auto h, auto m) {
        auto const z = xg::matmul(h, m) + 0.1_c;
        auto const centered = z - xg::mean<1>(z, xg::keep_dims);
        auto const scaled = centered / xg::sqrt(xg::mean<1>(xg::square(centered), xg::keep_dims) + 0.01_c);
        return h + xg::softmax(xg::relu(scaled) * 2_c) * xg::tanh(xg::matmul(scaled, u));
    }
};
template<bool Again>
struct of_layers {
    static constexpr auto loss = xg::sum(xg::square(xg::layers<3, body<Again, layer>>(x, w))) + xg::sum(xg::call<body<Again, block>>(x));
    static constexpr auto first = xg::gradients(loss, x, w, u);
    static constexpr auto second = xg::gradients(xg::sum(xg::sin(std::get<0>(first))) + xg::sum(xg::square(std::get<2>(first))), x, w, u);
};
}

TEST_CASE("kept values of layers and calls give the derivatives of two orders that values computed again give") {
    function_of<decltype(derivatives<of_layers<false>>()), true> f{derivatives<of_layers<false>>()};
    function_of<decltype(derivatives<of_layers<true>>()), true> g{derivatives<of_layers<true>>()};
    auto const W = test::numbers<double>({3, 6, 6}, -0.5, 0.5, 2);
    same(f(x = X, w = W, u = U), g(x = X, w = W, u = U));
}
