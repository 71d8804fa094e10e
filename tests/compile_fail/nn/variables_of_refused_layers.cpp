// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): the last extent of a differs from the first extent of b
// Variables, states and tables of layers of an x that is refused already: they give no further sentence.
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/nn/tied_logits.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 3, 4>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::variable<"w", float, 5, 6>;
#else
constexpr auto w = xg::variable<"w", float, 4, 6>;
#endif
constexpr auto y = xg::matmul(x, w);
constexpr auto dense = xg::nn::dense<"dense", 3>(y);
constexpr auto lstm = xg::nn::lstm<"lstm", 3>(dense);
constexpr auto loss = xg::sum(xg::square(std::get<0>(lstm.state()))) + xg::sum(xg::square(std::get<1>(lstm.state()))) +
                      xg::sum(xg::square(dense.w)) + xg::sum(xg::square(lstm.u));
#ifdef XGRAD_EXPECT_ERROR
constexpr auto logits = xg::nn::tied_logits(y, y);
#endif

int main() {
    auto train = xg::minimize(loss, xg::param_group(xg::adam{}, dense.w), xg::gradient_descent{.learning_rate = 0.1});
    static_cast<void>(train.value(dense.w));
    auto applied = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(xg::gradient_of(loss, dense.w), dense.w));
    static_cast<void>(applied);
}
