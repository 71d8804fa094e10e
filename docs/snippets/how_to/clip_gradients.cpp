// SPDX-License-Identifier: MIT
// The program of docs/how_to/clip_gradients.md.
// prints: norm 8[0-9][0-9][.][0-9], and the step has the length 0[.]100
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"b", float>;
constexpr auto loss = xg::mean(xg::squared_error(xg::sum<1>(x * w) + b, y));
constexpr auto norm = xg::global_norm(xg::compute_gradients(loss, w, b));   // to look at, not needed for clipping

int main() {
    std::vector<float> const features{1, 2, 3, 0, 1, 0, 2, 0, 1}, targets{1, 0, 500};   // the last one is a mistake
    auto train = xg::minimize(xg::outputs(loss, norm), xg::chain(xg::clip_by_global_norm(1), xg::gradient_descent{.learning_rate = 0.1}));
    auto const [value, length] = train(x = xg::array(features, 3, 3), y = targets);
    double moved = train.value(b)() * train.value(b)();
    for (float const v : train.value(w)) moved += v * v;
    std::printf("norm %.1f, and the step has the length %.3f\n", length, std::sqrt(moved));
}
