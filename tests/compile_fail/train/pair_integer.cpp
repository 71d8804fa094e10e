// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_variable\(gradient, v\): v has integers or truth values, which have no gradient
// A counter is no parameter of a rule.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto count = xg::non_trainable<"count", std::int64_t, 4, 3>;

constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(x, w) + b, y));
constexpr auto g = xg::gradient_of(loss, w);

#ifdef XGRAD_EXPECT_ERROR
float step(std::vector<float> const& a, std::vector<std::int32_t> const& c) {
    auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(xg::cast<std::int64_t>(g), count));
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train(x = xg::array(a.data(), 1, 4), y = c);
}
#else
float step(std::vector<float> const& a, std::vector<std::int32_t> const& c) {
    auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(g, w));
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train(x = xg::array(a.data(), 1, 4), y = c);
}
#endif
