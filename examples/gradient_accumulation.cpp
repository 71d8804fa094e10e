// SPDX-License-Identifier: MIT
// A batch in four parts. The gradients of four calls are averaged before the variables move, as if memory held all 64 rows.
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 8>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto hidden = xg::tanh(xg::nn::dense<"hidden", 16>(x));
constexpr auto loss = xg::mean(xg::square(xg::squeeze<1>(xg::nn::dense<"out", 1>(hidden)) - y));
constexpr auto w = xg::nn::dense<"hidden", 16>(x).w;

int main() {
    xg::adam const rule{.learning_rate = 0.01};
    auto whole = xg::minimize(loss, rule);
    auto parts = xg::minimize(loss, xg::chain(xg::multi_steps{4}, rule));   // later links see the mean of four
    whole.initialize(xg::glorot_uniform{.seed = 1});
    parts.initialize(xg::glorot_uniform{.seed = 1});

    constexpr std::size_t rows = 64, part = 16;
    std::vector<float> in(rows * 8), out(rows);
    float first = 0, last = 0;
    for (int step = 0; step < 300; ++step) {
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::sin(static_cast<float>(7 * i + 13 * static_cast<std::size_t>(step)));
        for (std::size_t r = 0; r < rows; ++r) out[r] = in[8 * r] * in[8 * r + 1] + 0.5f * in[8 * r + 2];
        last = whole(x = xg::array(in.data(), rows, 8), y = out);
        if (step == 0) first = last;
        for (std::size_t r = 0; r < rows; r += part)   // the fourth call moves the variables
            parts(x = xg::array(&in[8 * r], part, 8), y = xg::array(&out[r], part));
    }
    float difference = 0;
    for (std::int64_t i = 0; i < whole.value(w).size(); ++i)
        difference = std::max(difference, std::abs(whole.value(w)[i] - parts.value(w)[i]));
    std::printf("loss %.4f, after 300 steps of 64 rows %.4f; weights of 1200 steps of 16 rows differ by %.1g\n", double(first),
        double(last), double(difference));
    return last < 0.2f * first && difference < 1e-3f ? 0 : 1;
}
