// SPDX-License-Identifier: MIT
// Two trainers on one set of variables. A generator learns a distribution from a discriminator, which learns to tell its samples from
// real ones.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto real = xg::input<"real", float, batch>;   // between 2 and 5
constexpr auto noise = xg::uniform_like<"noise">(real);

constexpr auto scale = xg::variable<"generator/scale", float>;
constexpr auto shift = xg::variable<"generator/shift", float>;
constexpr auto fake = scale * noise + shift;

template<class X>
constexpr auto score(X x) {   // how real x looks: a parabola can tell mean and spread
    return xg::variable<"discriminator/a", float> * xg::square(x) + xg::variable<"discriminator/b", float> * x +
           xg::variable<"discriminator/c", float>;
}
constexpr auto weights = xg::square(xg::variable<"discriminator/a", float>) + xg::square(xg::variable<"discriminator/b", float>);
constexpr auto telling = xg::mean(xg::softplus(-score(real))) + xg::mean(xg::softplus(score(fake))) + 0.02_c * weights;
constexpr auto fooling = xg::mean(xg::softplus(-score(fake)));

int main() {
    xg::variables vars{telling, fooling};   // one store; each of the two optimizers has its slots and its step
    auto discriminate = xg::minimize(telling,
        xg::param_group(xg::adam{.learning_rate = 0.02}, xg::variable<"discriminator/a", float>, xg::variable<"discriminator/b", float>,
            xg::variable<"discriminator/c", float>),
        vars);
    auto generate = xg::minimize(fooling, xg::param_group(xg::adam{.learning_rate = 0.01}, scale, shift), vars);
    vars.initialize(xg::random_uniform{.seed = 1});
    vars.assign(scale, 0.5f);

    std::mt19937 random(2);
    std::vector<float> x(256);
    double mean = 0, width = 0;
    int averaged = 0;
    for (int step = 1; step <= 6000; ++step) {
        for (float& e : x) e = 2.0f + 3.0f * static_cast<float>(random() >> 8) / 0x1p24f;
        float const d = discriminate(real = x), g = generate(real = x);
        float const w = vars.value(scale)[0], s = vars.value(shift)[0];
        if (step > 3000) {
            mean += s + 0.5 * w;
            width += std::abs(w);
            ++averaged;
        }
        if (step % 1000 == 0)
            std::printf("step %4d   losses %.3f %.3f   samples from %.2f to %.2f\n", step, double(d), double(g), double(s), double(s + w));
    }
    mean /= averaged;
    width /= averaged;
    std::printf("mean %.2f, width %.2f; real: 3.5 and 3\n", mean, width);
    bool const apart = discriminate.global_step() == 6000 && generate.global_step() == 6000;
    return apart && std::abs(mean - 3.5) < 0.2 && std::abs(width - 3) < 0.4 ? 0 : 1;
}
