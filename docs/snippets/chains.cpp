// SPDX-License-Identifier: MIT
// The code of docs/chains.md.
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace {

bool good = true;
void expect(bool held, char const* what) {
    if (!held) std::printf("not as the text says: %s\n", what);
    good = good && held;
}

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"deep/w", float, 4, 1>;
constexpr auto b = xg::variable<"b", float, 1>;
constexpr auto error = xg::squeeze<1>(xg::matmul(x, w)) + b - y;
constexpr auto loss = xg::mean(xg::square(error));

std::vector<float> const features{1, 0, 2, -1, 0, 1, 1, 1}, targets{1, 0.5f};

void composed() {
    // [composed]
    auto train = xg::minimize(loss, xg::chain(xg::clip_by_global_norm(1),
                                              xg::decoupled_decay{.weight_decay = 0.01},
                                              xg::adam{.learning_rate = xg::warmup{xg::cosine_decay{1e-3, 9000}, 1000}},
                                              xg::ema{.decay = 0.999}));
    train.initialize(xg::glorot_uniform{.seed = 1});
    train(x = xg::array(features.data(), 2, 4), y = targets);
    auto const averages = train.slot(w, "average");                        // of the shape of w
    train.rule().get<xg::decoupled_decay>().weight_decay = 0.001;          // between steps
    // [/composed]
    expect(averages.size() == 4, "an average for each weight");
}
void groups() {
    // [groups]
    auto const clip = xg::clip_by_global_norm(1);                          // one norm over both groups
    auto train = xg::minimize(xg::outputs(loss, xg::mean(xg::abs(error))),
                              xg::param_group(xg::chain(clip, xg::decoupled_decay{.weight_decay = 0.01}, xg::adam{}), w),
                              xg::chain(clip, xg::adam{}));                // biases do not decay
    train.initialize(xg::glorot_uniform{.seed = 1});
    auto const [value, absolute] = train(x = xg::array(features.data(), 2, 4), y = targets);
    // [/groups]
    expect(value > 0 && absolute > 0, "two outputs of one step");
}
void named() {
    // [named groups]
    auto train = xg::minimize(loss, xg::param_group<"deep/*">(xg::chain(xg::freeze{}, xg::multiply_gradient{0.1}, xg::adam{})), xg::adam{});
    train.rule<0>().get<xg::freeze>().frozen = 0;                          // from now on they train
    // [/named groups]
    expect(train.global_step() == 0, "a trainer of groups by names");
}
void with_noise() {
    // [noise]
    constexpr auto deviation = xg::input<"deviation", float>;
    constexpr auto dw = xg::gradient_of(loss, w);
    constexpr auto db = xg::gradient_of(loss, b);
    auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(dw + deviation * xg::normal_like<"noise of w">(dw), w),
                                     xg::with_variable(db, b));
    xg::annealed_noise const noise{.eta = 0.01, .gamma = 0.55};            // as optax.add_noise
    train.initialize(xg::glorot_uniform{.seed = 1});
    train(x = xg::array(features.data(), 2, 4), y = targets, deviation = static_cast<float>(noise(train.global_step())));
    // [/noise]
    expect(train.global_step() == 1, "a step with noise");
}
void accumulated() {
    // [micro batches]
    auto train = xg::minimize(loss, xg::chain(xg::multi_steps{2}, xg::clip_by_norm(1), xg::adam{}));
    auto const before = train.value(b)(0);
    train(x = xg::array(&features[0], 1, 4), y = xg::array(&targets[0], 1));
    bool const waits = train.value(b)(0) == before;                        // true: the second one moves it
    train(x = xg::array(&features[4], 1, 4), y = xg::array(&targets[1], 1));
    // [/micro batches]
    expect(waits && train.value(b)(0) != before, "two micro-batches, one update");
}
// [own transform]
struct sign_of_gradient {
    static constexpr std::string_view name = "sign_of_gradient";
    static constexpr bool is_transform = true, in_front = true;
    static constexpr std::array<xg::slot_info, 0> slots{};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void update(scalars<T> const&, V&, V& gradient, V*) {
        gradient = xg::math::sign(gradient);
    }
};
// [/own transform]
void own() {
    auto train = xg::minimize(loss, xg::chain(sign_of_gradient{}, xg::gradient_descent{.learning_rate = 0.125}));
    train(x = xg::array(features.data(), 2, 4), y = targets);
    expect(std::fabs(train.value(w).data()[0]) == 0.125f, "a step of signs");
}
void plateau() {
    // [plateau]
    xg::reduce_on_plateau plateau{.learning_rate = 0.1, .factor = 0.5, .patience = 2};   // lives longer than the trainer
    auto train = xg::minimize(loss, xg::momentum{.learning_rate = plateau.schedule(), .momentum = 0.9});
    for (double validation_loss : {1.0, 0.8, 0.8, 0.8, 0.8}) plateau.observe(validation_loss);
    // [/plateau]
    expect(plateau.learning_rate == 0.05, "the rate is halved");
    train(x = xg::array(features.data(), 2, 4), y = targets);
}

}   // namespace

int main() {
    composed();
    groups();
    named();
    with_noise();
    accumulated();
    own();
    plateau();
    return good ? 0 : 1;
}
