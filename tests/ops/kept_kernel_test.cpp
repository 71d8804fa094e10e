// SPDX-License-Identifier: MIT
// A body whose gradient reads an output of a kernel that the body itself does not read: the sums of attention.
#include "ops/kept.hpp"

#include <xgrad/ops/attention/attention.hpp>

using namespace kept_values_test;

namespace {
constexpr auto w = xg::input<"w", double, 3, 6, 6>;
struct attend : xg::region {
    static constexpr auto value(auto h, auto m) {
        auto const query = xg::reshape<1, 1, 4, 6>(xg::matmul(h, m));
        auto const key = xg::reshape<1, 1, 4, 6>(h);
        return h + xg::reshape<4, 6>(xg::scaled_dot_product_attention(query, key, xg::tanh(key)));
    }
};
template<bool Again>
struct of_attention {
    static constexpr auto loss =
        xg::sum(xg::square(xg::layers<3, body<Again, attend>>(x, w))) + xg::sum(xg::call<body<Again, attend>>(x, u));
    static constexpr auto first = xg::gradients(loss, x, w, u);
    static constexpr auto second = xg::gradients(xg::sum(xg::sin(std::get<0>(first))) + xg::sum(xg::square(std::get<2>(first))), x, w, u);
};
}

TEST_CASE("kept sums of attention give the derivatives of two orders that sums computed again give") {
    function_of<decltype(derivatives<of_attention<false>>()), true> f{derivatives<of_attention<false>>()};
    function_of<decltype(derivatives<of_attention<true>>()), true> g{derivatives<of_attention<true>>()};
    auto const W = test::numbers<double>({3, 6, 6}, -0.5, 0.5, 2);
    same(f(x = X, w = W, u = U), g(x = X, w = W, u = U));
}
