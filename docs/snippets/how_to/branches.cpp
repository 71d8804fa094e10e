// SPDX-License-Identifier: MIT
// The program of docs/how_to/branches.md.
// prints: sine 0[.]8[0-9], square 2[.][1-4][0-9].with penalty 0[.]00[1-9][0-9] more, without 0[.]0000 more
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto task = xg::input<"task", std::int32_t>;   // 0: sine, 1: square
constexpr auto penalized = xg::input<"penalized", bool>;

// The tasks share a layer. Each has a separate last layer.
struct sine : xg::region {
    static constexpr auto value(auto h) { return xg::squeeze<1>(xg::nn::dense<"sine", 1>(h)); }
};
struct square : xg::region {
    static constexpr auto value(auto h) { return xg::squeeze<1>(xg::nn::dense<"square", 1>(h)); }
};
constexpr auto shared = xg::tanh(xg::nn::dense<"shared", 32>(xg::expand_dims<1>(x)));
constexpr auto prediction = xg::switch_case<sine, square>(task, shared);
constexpr auto error = xg::mean(xg::squared_error(prediction, y));

// How steep the predictions are. It is computed in the steps that need it.
constexpr auto slope = xg::gradient_of(xg::sum(prediction), x);
constexpr auto steepness = xg::mean(xg::square(slope));
struct with_penalty : xg::region {
    static constexpr auto value(auto e) { return e + 0.01_c * steepness; }
};
struct without_penalty : xg::region {
    static constexpr auto value(auto e) { return e; }
};
constexpr auto loss = xg::cond<with_penalty, without_penalty>(penalized, error);

int main() {
    std::vector<float> points, sines, squares;
    for (int i = 0; i < 64; ++i) {
        points.push_back(static_cast<float>(i) / 16.0f - 2.0f);
        sines.push_back(std::sin(points.back()));
        squares.push_back(points.back() * points.back());
    }

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.01});
    train.initialize(xg::glorot_uniform{.seed = 1});
    for (int step = 0; step < 500; ++step) {
        bool const is_sine = step % 2 == 0, penalty = step % 10 < 2;
        train(x = points, y = is_sine ? sines : squares, task = is_sine ? 0 : 1, penalized = penalty);
    }

    xg::function predict{prediction, train};
    std::vector<float> const at{1.0f, 1.5f};
    std::printf("sine %.2f, ", predict(x = at, task = 0)[0]);
    std::printf("square %.2f\n", predict(x = at, task = 1)[1]);

    xg::function losses{xg::outputs(loss, error), train};
    for (bool const penalty : {true, false}) {
        auto const [all, without] = losses(x = points, y = sines, task = 0, penalized = penalty);
        std::printf(penalty ? "with penalty %.4f more, " : "without %.4f more\n", double{all - without});
    }
}
