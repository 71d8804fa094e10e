// SPDX-License-Identifier: MIT
// fixed_loss_scale and dynamic_loss_scale: the steps of TensorFlow's MixedPrecisionLossScaleOptimizer, groups, two parts, checkpoints,
// exceptions.
#include <support/allocations.hpp>
#include <support/message_of.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "io/temporary_folder.hpp"
#include "optim/reference.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

constexpr auto g = xg::input<"g", float, 3>;
constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto table = xg::variable<"table", float, 4>;
constexpr auto loss = xg::sum(w * g) + xg::sum(xg::gather(table, ids) * xg::slice<0, 0, 2>(g));

struct sequence {   // as in loss_scale.py
    std::string name;
    xg::dynamic_loss_scale scale;
    double rate;
    std::vector<float> sizes;
    std::vector<std::pair<int, float>> bad;
};
sequence const overflow{"overflow", {.initial = 32768, .period = 3, .multiplier = 2}, 1e-35,
    {1e33f, 3e34f, 3e34f, 3e34f, 1e33f, 2e33f, 2.5e34f, 1e34f, 1e34f, 1e34f, 5e34f, 2e33f}, {}};
sequence const bad_ones{"bad", {.initial = 5, .period = 2, .multiplier = 3}, 0.125, {1, 2, 1, 3, 1, 1, 2, 1, 0.5f, 1, 1, 2},
    {{2, HUGE_VALF}, {3, NAN}, {4, -HUGE_VALF}, {5, HUGE_VALF}, {9, NAN}}};
sequence const fixed{"fixed", {}, 0.3, {1, 0.7f, 1.3f, 0.9f}, {}};

std::array<float, 3> gradient_in(sequence const& s, std::size_t step) {
    std::array<float, 3> at{};
    for (std::size_t i = 0; i < 3; ++i) at[i] = static_cast<float>((0.5 + static_cast<double>(i) / 4) * static_cast<double>(s.sizes[step]));
    for (auto const& [when, what] : s.bad)
        if (when == static_cast<int>(step)) at[2] = what;
    return at;
}
template<class Train>
void begin(Train& train) {
    for (int i = 0; i < 3; ++i) train.value(w)(i) = static_cast<float>(i - 1) / 2;
    for (int i = 0; i < 4; ++i) train.value(table)(i) = static_cast<float>(3 * i % 4) / 4 - 0.5f;
}
constexpr std::array<std::int32_t, 2> rows{2, 0};
template<class Train>
void take(Train& train, sequence const& s, std::size_t step) {
    auto const at = gradient_in(s, step);
    train(g = at, ids = rows);
}
template<class View>
std::vector<double> copy(View const& v) {
    return {v.data(), v.data() + v.size()};
}
template<class Train>
std::vector<double> everything(Train& train) {
    std::vector<double> all(train.optimizer().powers.begin(), train.optimizer().powers.end());
    for (auto const& part :
        {copy(train.value(w)), copy(train.value(table)), copy(train.slot(w, "momentum")), copy(train.slot(table, "momentum"))})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}
xgrad_test::reference const& recorded() {
    static xgrad_test::reference const numbers(XGRAD_TEST_DATA "/loss_scale.txt", 0);
    return numbers;
}
template<class Train>
void compare(Train& train, sequence const& s, std::size_t step) {
    std::string const at = s.name + " " + std::to_string(step) + " ";
    recorded().compare(at + "w", copy(train.value(w)), 1e-7);
    recorded().compare(at + "table", copy(train.value(table)), 1e-7);
    recorded().compare(at + "momentum", copy(train.slot(w, "momentum")), 1e-7);
}
auto dynamic(sequence const& s) { return xg::minimize(loss, xg::chain(s.scale, xg::momentum{.learning_rate = s.rate, .momentum = 0.5})); }
auto in_groups(xg::dynamic_loss_scale const& first, sequence const& s) {
    xg::momentum const rule{.learning_rate = s.rate, .momentum = 0.5};
    return xg::minimize(loss, xg::param_group(xg::chain(first, rule), table), xg::chain(s.scale, rule));
}

}   // namespace

TEST_CASE("the steps of TensorFlow, and resumed in between to the bit") {
    temporary_folder const folder;
    for (sequence const& s : {overflow, bad_ones}) {
        CAPTURE(s.name);
        auto train = dynamic(s);
        auto groups = in_groups(s.scale, s);
        begin(train), begin(groups);
        for (std::size_t step = 0; step < s.sizes.size(); ++step) {
            CAPTURE(step);
            if (step == 7) {   // with good steps behind the last change
                xg::save(train, folder.path / "scaled.safetensors");
                auto resumed = dynamic(s);
                xg::restore(resumed, folder.path / "scaled.safetensors");
                CHECK(everything(resumed) == everything(train));
                for (std::size_t k = step; k < s.sizes.size(); ++k) take(resumed, s, k);
                compare(resumed, s, s.sizes.size() - 1);
            }
            take(train, s, step);
            take(groups, s, step);
            compare(train, s, step);
            compare(groups, s, step);
            auto const& powers = train.optimizer().powers;
            recorded().compare(s.name + " " + std::to_string(step) + " scale",
                std::vector<double>{powers.at[0], powers.at[1], powers.at[2]}, 1e-7);   // TensorFlow multiplies by 1/3
            for (int k = 0; k < 6; ++k) CHECK(groups.optimizer().powers.at[k] == powers.at[k % 3]);
        }
        CHECK(train.global_step() == 12);
        train.reset_optimizer();
        CHECK(train.optimizer().powers.at[0] == s.scale.initial);
    }
}

TEST_CASE("a fixed scale looks at nothing, and is what gradients start as") {
    auto train = xg::minimize<xg::gating::graph>(loss,
        xg::chain(xg::fixed_loss_scale{3}, xg::momentum{.learning_rate = xg::piecewise_constant({100}, {0.3, 0.1}), .momentum = 0.5}));
    auto whole = xg::minimize(loss, xg::chain(xg::fixed_loss_scale{3}, xg::momentum{.learning_rate = 0.3, .momentum = 0.5}));
    begin(train), begin(whole);
    auto scale = [&](double to) { train.rule().template get<xg::fixed_loss_scale>().scale = to; };
    for (std::size_t step = 0; step < 4; ++step) {
        auto const at = gradient_in(fixed, step);
        take(whole, fixed, step);
        compare(whole, fixed, step);
        if (step == 3) scale(4);
        train.compute_gradients(g = at, ids = rows);
        CHECK(train.gradient(w)(1) == at[1] * (step == 3 ? 4 : 3));
        CHECK(train.gradient(table).values(0) == at[0] * (step == 3 ? 4 : 3));
        train.apply_gradients();
        compare(train, fixed, step);
    }
    scale(0.5);
    auto const before = everything(train);
    CHECK(test::message_of<xg::value_error>([&] { take(train, fixed, 0); }) ==
          "xgrad: fixed_loss_scale: scale must be a float of at least 1, found 0.5");
    CHECK(everything(train) == before);
    std::array<float, 3> const infinite{1, HUGE_VALF, 1};
    whole(g = infinite, ids = rows);
    CHECK(std::isinf(whole.value(w)(1)));
}

TEST_CASE("what is refused changes nothing; no allocation") {
    auto other = overflow.scale;
    other.initial = 16384;
    auto train = in_groups(other, overflow);
    begin(train);
    auto const before = everything(train);
    std::string const sentence = "xgrad: the groups of a trainer scale the loss by different numbers; give all of them the same loss scale";
    CHECK(test::message_of<xg::value_error>([&] { take(train, overflow, 0); }) == sentence);
    CHECK(everything(train) == before);
    other.initial = 1e39;
    CHECK(test::message_of<xg::value_error>([&] { static_cast<void>(in_groups(other, overflow)); }) ==
          "xgrad: dynamic_loss_scale: initial must be a float of at least 1, found 1e+39");
    auto counted = dynamic(overflow);
    begin(counted);
    take(counted, overflow, 0);
    auto const at = gradient_in(overflow, 1), good = gradient_in(overflow, 2);
    CHECK(test::count_allocations([&] {
        CHECK(counted.try_step(g = at, ids = rows));
        CHECK(counted.try_step(g = good, ids = rows));
    }) == 0);
}
