// SPDX-License-Identifier: MIT
// All of xgrad from one header, made by tools/amalgamate: trained, saved, restored.
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim rows{"rows"};
constexpr auto x = xg::input<"x", float, rows>;
constexpr auto y = xg::input<"y", float, rows>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto loss = xg::mean(xg::square(slope * x - y));

int main() {
    std::vector<float> const inputs{-1, -0.5f, 0.5f, 1}, targets{-3, -1.5f, 1.5f, 3};
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.1}), again = xg::minimize(loss, xg::adam{.learning_rate = 0.1});
    for (int step = 0; step < 400; ++step) train(x = inputs, y = targets);
    xg::save(train, "single_header.safetensors");
    xg::restore(again, "single_header.safetensors");
    float const a = train(x = inputs, y = targets), b = again(x = inputs, y = targets);
    std::printf("loss %g\n", static_cast<double>(a));
    return a < 1e-3f && a == b && again.global_step() == 401 ? 0 : 1;
}
