// SPDX-License-Identifier: MIT
// The program of docs/how_to/learning_rate.md.
// prints: plateau 0[.]0500, y = 3[.]0 x - 1[.]0
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto loss = xg::mean(xg::squared_error(slope * x + offset, y));

int main() {
    std::vector<float> const in{-1, -0.5f, 0, 0.5f, 1}, out{-4, -2.5f, -1, 0.5f, 2};
    auto train = xg::minimize(loss, xg::adam{.learning_rate = xg::warmup{xg::cosine_decay{0.1, 900}, 100}});
    for (int step = 0; step < 1000; ++step) {
        if (step % 250 == 50) std::printf("step %3d   rate %.4f\n", step, train.rule().learning_rate(step));
        train(x = in, y = out);
    }

    xg::reduce_on_plateau plateau{.learning_rate = 0.1, .factor = 0.5, .patience = 2};   // lives longer than its use
    train.rule().learning_rate = plateau.schedule();
    for (double const validation_loss : {1.0, 0.8, 0.8, 0.8, 0.8}) {
        train(x = in, y = out);             // in a program: an epoch
        plateau.observe(validation_loss);   // in a program: the loss of the test rows
    }
    std::printf(
        "plateau %.4f, y = %.1f x - %.1f\n", train.rule().learning_rate(train.global_step()), train.value(slope)(), -train.value(offset)());
}
