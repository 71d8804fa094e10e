// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rule\): the loss is neither float nor double
// An integer loss.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(x, w) + b, y));

#ifdef XGRAD_EXPECT_ERROR
float step(std::vector<float> const& a, std::vector<std::int32_t> const& c) {
    auto train = xg::minimize(xg::cast<std::int32_t>(loss), xg::adam{});
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train(x = xg::array(a.data(), 1, 4), y = c);
}
#else
float step(std::vector<float> const& a, std::vector<std::int32_t> const& c) {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3});
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train(x = xg::array(a.data(), 1, 4), y = c);
}
#endif
