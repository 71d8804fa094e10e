// SPDX-License-Identifier: MIT
// Training that continues from a checkpoint takes bitwise equal steps, whatever the rules keep between steps.
#include <xgrad/io/snapshot.hpp>
#include <xgrad/xgrad.hpp>

#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto chained = xg::variable<"chained", float, 3, 4>;
constexpr auto unscheduled = xg::variable<"schedule free", float, 4>;
constexpr auto averaged = xg::variable<"averaged", float, 4>;
constexpr auto signs = xg::variable<"signs", float, 4>;
constexpr auto factored = xg::variable<"factored", float, 4, 3>;
constexpr auto half = xg::variable<"half", xg::bfloat16, 3>;
constexpr auto rows = xg::variable<"rows", float, 7, 4>;
constexpr auto counts = xg::variable<"counts", float, 7, 4>;
constexpr auto seen = xg::non_trainable<"seen", float, 4>;
constexpr auto hidden =
    xg::dropout<"drop">(xg::matmul(x, chained) + unscheduled * averaged, 0.25_c) + signs + xg::gather(rows, ids) * xg::gather(counts, ids);
constexpr auto loss = xg::mean(xg::square(xg::matmul(hidden, factored) - xg::cast<float>(half)));

auto make() {
    return xg::minimize(loss,
        xg::param_group(xg::chain(xg::multi_steps{2}, xg::clip_by_global_norm(1),
                            xg::adam{.learning_rate = xg::exponential_decay{.05, 2, .5}}, xg::ema{.decay = .9}),
            chained),
        xg::param_group(xg::schedule_free_adamw{.learning_rate = .05}, unscheduled),
        xg::param_group(xg::asgd{.learning_rate = .05}, averaged), xg::param_group(xg::rprop{.learning_rate = .01}, signs),
        xg::param_group(xg::adafactor{}, factored), xg::param_group(xg::nadam{.learning_rate = .01}, half),
        xg::param_group(xg::rowwise_adagrad{.learning_rate = .05}, rows),
        xg::param_group(xg::counted{xg::adagrad{.learning_rate = .05}}, counts),
        xg::assign(seen, 0.9_c * seen + 0.1_c * xg::updated(unscheduled)));
}

template<class Train>
void step(Train& train) {
    auto const k = static_cast<std::size_t>(train.global_step());
    std::vector<float> in(5 * 3);
    std::vector<std::int32_t> at(5);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>((7 * i + 13 * k) % 17) / 17 - .4f;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int32_t>((3 * i * i + k) % 7);
    train(x = xg::array(in.data(), 5, 3), ids = at);
}

}   // namespace

TEST_CASE("resumed after any step, training ends with the same file") {
    temporary_folder const folder;
    auto const at = [&](int k) { return (folder.path / std::to_string(k)).string(); };
    constexpr int steps = 7;
    auto train = make();
    train.initialize(xg::random_uniform{.seed = 3});
    for (int k = 0; k < steps; ++k) {
        xg::save(train, at(k));
        step(train);
    }
    xg::save(train, at(steps));
    for (int k = 0; k < steps; ++k) {
        CAPTURE(k);
        auto resumed = make();
        xg::restore(resumed, at(k));
        step(resumed);
        xg::save(resumed, at(steps + 1));   // variables, slots, scalars, steps and seed: all that is there
        CHECK(read_bytes(at(steps + 1)) == read_bytes(at(k + 1)));
        CHECK(read_bytes(at(k)) != read_bytes(at(k + 1)));
    }
}

TEST_CASE("a snapshot brings back all that a file has, or the variables alone") {
    temporary_folder const folder;
    auto const at = [&](int k) { return (folder.path / std::to_string(k)).string(); };
    auto train = make();
    train.initialize(xg::random_uniform{.seed = 3});
    step(train);
    xg::snapshot kept;
    CHECK(kept.empty());
    CHECK(message_of<xg::checkpoint_error>([&] { kept.restore(train); }).find("nothing has been taken") != std::string::npos);
    step(train);
    kept.take(train);
    xg::snapshot const second(train);
    xg::save(train, at(0));
    step(train);
    xg::save(train, at(1));
    float const weight = train.value(chained)(0, 0);
    step(train);

    second.restore(train);   // all of it
    xg::save(train, at(2));
    CHECK(read_bytes(at(2)) == read_bytes(at(0)));
    step(train);
    xg::save(train, at(2));
    CHECK(read_bytes(at(2)) == read_bytes(at(1)));

    kept.take(train);   // in place of the first one
    step(train);
    auto const steps = train.global_step();
    kept.restore(train, xg::variables_only);
    CHECK(train.value(chained)(0, 0) == weight);
    CHECK(train.global_step() == steps);

    // another owner: what differs is named, and nothing changes
    auto other = xg::minimize(xg::mean(xg::square(chained)) + xg::sum(unscheduled), xg::momentum{});
    other.value(chained)(0, 0) = 42;
    std::string const message = message_of<xg::checkpoint_error>([&] { kept.restore(other); });
    CHECK(message.find("\"averaged\" is float[4] in the snapshot and unknown here") != std::string::npos);
    CHECK(message.find("nothing has been changed") != std::string::npos);
    CHECK(other.value(chained)(0, 0) == 42);

    // another rule with slots of the same names and shapes, and another kind of the same rule
    auto const sum = xg::sum(xg::square(averaged)) + xg::sum(xg::gather(rows, ids));
    auto adam = xg::minimize(sum, xg::adam{}), second_adam = xg::minimize(sum, xg::adam{});
    auto lazy_adam = xg::minimize(sum, xg::lazy_adam{});
    xg::snapshot const of_adam(adam);
    second_adam.value(averaged)(0) = lazy_adam.value(averaged)(0) = 42;
    std::string const refused = message_of<xg::checkpoint_error>([&] { of_adam.restore(lazy_adam); });
    CHECK(
        refused.find("variable \"averaged\" is trained by lazy_adam (lazy) here and by adam (exact) in the snapshot") != std::string::npos);
    CHECK(lazy_adam.value(averaged)(0) == 42);
    CHECK_NOTHROW(of_adam.restore(second_adam));
    CHECK(second_adam.value(averaged)(0) == adam.value(averaged)(0));
    CHECK_NOTHROW(of_adam.restore(lazy_adam, xg::variables_only));
}
