// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_variable\(gradient, v\): the gradient is neither an expression, nor indexed_slices, nor none
// The tuple that gradients() returns in place of one of its elements.
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
    auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(xg::gradients(loss, w), w));
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train(x = xg::array(a.data(), 1, 4), y = c);
}
#else
float step(std::vector<float> const& a, std::vector<std::int32_t> const& c) {
    auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(std::get<0>(xg::gradients(loss, w)), w));
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train(x = xg::array(a.data(), 1, 4), y = c);
}
#endif
