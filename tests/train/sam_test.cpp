// SPDX-License-Identifier: MIT
// sam: the steps of pytorch_optimizer.SAM, what changes nothing, what is thrown, no allocation.
#include <support/allocations.hpp>
#include <support/message_of.hpp>

#include <xgrad/train/sam.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "optim/reference.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim samples{"samples"};
constexpr auto x = xg::input<"x", double, samples, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, samples>;
constexpr auto y = xg::input<"y", double, samples>;
constexpr auto weight = xg::variable<"weight", double, 5, 1>;
constexpr auto table = xg::variable<"table", double, 7, 1>;
constexpr auto steps_seen = xg::non_trainable<"steps_seen", double>;
constexpr auto noise = xg::non_trainable<"noise", double>;   // 0, unless a test is about random numbers
constexpr auto logits = xg::squeeze<1>(xg::matmul(x, weight) + xg::gather(table, ids));
constexpr auto z = logits * (1_c + noise * xg::uniform_like<"shake">(y));
constexpr auto loss = xg::mean(xg::softplus(z) - z * y);

struct data {
    std::vector<double> in, out;
    std::vector<std::int32_t> rows;
    data() {
        for (int r = 0; r < 12; ++r) {
            for (int i = 0; i < 5; ++i) in.push_back(((5 * r + 3 * i) % 11 - 5) / 4.0);
            out.push_back(r % 3 == 0);
            rows.push_back((r * r + 3 * r) % 7);
        }
    }
    template<class F>
    auto call(F&& f) const {
        return f(x = xg::array(in.data(), 12, 5), y = out, ids = rows);
    }
};

auto trainer() {
    auto train = xg::minimize<xg::gating::graph>(
        loss, xg::momentum{.learning_rate = 0.25, .momentum = 0.875}, xg::assign(steps_seen, steps_seen + 1_c));
    for (int i = 0; i < 5; ++i) train.value(weight)(i, 0) = (i - 2) / 4.0;
    for (int i = 0; i < 7; ++i) train.value(table)(i, 0) = (3 * i % 8 - 4) / 4.0;
    return train;
}
template<class View>
std::vector<double> of(View const& v) {
    return {v.data(), v.data() + v.shape()[0]};
}

// What a step leaves: variables, and slots by way of what they make of the next steps.
std::vector<double> after(auto& train, auto&& step, int count) {
    for (int k = 0; k < count; ++k) data().call(step);
    auto all = of(train.value(weight)), rows = of(train.value(table));
    all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

}   // namespace

TEST_CASE("sam: the steps of pytorch_optimizer.SAM, rows that occur several times or not at all among them") {
    xgrad_test::reference const expected(XGRAD_TEST_DATA "/sam.txt", 0);
    data const d;
    for (std::string const name : {"plain", "adaptive"}) {
        auto train = trainer();
        bool const adaptive = name == "adaptive";
        xg::sam step{train, {.rho = adaptive ? 2.0 : 0.5, .adaptive = adaptive}};
        for (int k = 1; k <= 8; ++k) {
#if XGRAD_INTERCEPT
            test::allocations = 0;
            test::counting = k > 1;
#endif
            double const value = d.call(step);
#if XGRAD_INTERCEPT
            test::counting = false;
            CHECK(test::allocations == 0);
#endif
            auto const which = name + " " + std::to_string(k) + " ";
            expected.compare(which + "loss", {value}, 1e-6);
            expected.compare(which + "weight", of(train.value(weight)), 1e-6);
            expected.compare(which + "table", of(train.value(table)), 1e-6);
        }
        CHECK(train.global_step() == 8);
        CHECK(train.value(steps_seen)[0] == 8);   // is assigned once a step, and not moved by rho
    }
}

TEST_CASE("sam: no way to go is a plain step, both passes draw the same numbers, what is thrown changes nothing") {
    auto plain = trainer(), none = trainer(), near = trainer();
    xg::sam without{none, {.rho = 0}}, with{near, {.rho = 1e-200}};   // which is lost in rounding
    for (auto* t : {&plain, &none, &near}) t->value(noise)[0] = 0.5;
    auto const expected = after(plain, plain, 3);
    CHECK(after(none, without, 3) == expected);
    CHECK(after(near, with, 3) == expected);
    CHECK(near.store().steps == plain.store().steps);

    // A gradient that is not finite leads nowhere: as without.
    auto broken = trainer(), also = trainer();
    xg::sam step{broken, {.rho = 0.5}};
    for (auto* t : {&broken, &also}) t->value(weight)(0, 0) = std::numeric_limits<double>::infinity();
    after(broken, step, 1);
    after(also, also, 1);
    for (int i : {1, 2, 6}) CHECK(broken.value(table)(i, 0) == also.value(table)(i, 0));

    auto train = trainer();
    CHECK(test::message_of<xg::value_error>([&] { xg::sam{train, {.rho = -1}}; }) == "xgrad: sam: rho must be positive or zero, found -1");
    xg::sam later{train, {.rho = 0.5}};
    auto const before = after(train, train, 0);
    later.options.rho = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(data().call(later), xg::value_error);
    later.options.rho = 0.5;
    data wrong;
    wrong.rows[3] = 7;
    CHECK_THROWS_AS(wrong.call(later), xg::value_error);
    CHECK(after(train, train, 0) == before);
    CHECK(train.global_step() == 0);

    // A function of the step.
    struct first_only {
        double operator()(std::int64_t k) const { return k == 0 ? 0.5 : 0; }
    };
    auto one = trainer(), two = trainer();
    xg::sam scheduled{one, {.rho = first_only{}}}, constant{two, {.rho = 0.5}};
    after(one, scheduled, 1);
    after(two, constant, 1);
    CHECK(after(one, scheduled, 2) == after(two, two, 2));
}
