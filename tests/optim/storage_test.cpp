// SPDX-License-Identifier: MIT
// What rules keep in memory: slots of 16 bits, variables of 16 bits moved as floats or at random.
#include <xgrad/optim/rules/adam.hpp>
#include <xgrad/optim/links/chain.hpp>
#include <xgrad/optim/links/clip_gradients.hpp>
#include <xgrad/optim/links/counted.hpp>
#include <xgrad/optim/rules/lazy_adam.hpp>
#include <xgrad/optim/rules/momentum.hpp>
#include <xgrad/optim/rules/sgd.hpp>
#include <xgrad/optim/links/storage.hpp>

#include <doctest/doctest.h>

#include "optim/table.hpp"

#include <bit>
#include <cmath>
#include <vector>

using namespace xgrad;

namespace {

template<class M, class Rule>
using vector_of = xgrad_test::table<Rule, float, M>;
template<class M>
std::vector<M> numbers(std::size_t n, float scale) {
    std::vector<M> r;
    for (std::size_t i = 0; i < n; ++i) r.push_back(M(scale * std::sin(1.7f * static_cast<float>(i) + 0.3f)));
    return r;
}
std::vector<float> floats(auto const& halves) { return {halves.begin(), halves.end()}; }
std::vector<float> slopes(std::size_t n, int step) {
    std::vector<float> g = numbers<float>(n, 0.01f);
    for (std::size_t i = 0; i < n; ++i) g[i] *= static_cast<float>((static_cast<int>(i) + step) % 5 - 1);
    return g;
}
bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

template<class Half, class Rule>
void moves_as_floats(Rule const& rule) {
    int wrong = 0;
    for (std::size_t n = 0; n <= 3 * simd::width<float> + 1; ++n) {
        std::vector<Half> const start = numbers<Half>(n, 1);
        auto const split = master_weights<Half>(rule);
        vector_of<Half, std::remove_const_t<decltype(split)>> a(split, start);
        vector_of<float, Rule> b(rule, floats(start));
        constexpr std::size_t rest = slot_count<Rule>;
        for (int step = 0; step < 20; ++step) {
            a.dense(slopes(n, step));
            b.dense(slopes(n, step));
            for (std::size_t i = 0; i < n; ++i) {
                wrong += a.param[i].bits != Half(b.param[i]).bits;
                wrong += !same_bits(static_cast<float>(a.param[i]) + a.slots[rest][i], b.param[i]);
                for (std::size_t k = 0; k < rest; ++k) wrong += !same_bits(a.slots[k][i], b.slots[k][i]);
            }
        }
    }
    CHECK(wrong == 0);
}
/// The mean of 4096 different numbers near 1 and of their bfloat16 after 2000 steps down of 5e-5.
/// Such a step is a fortieth of the distance of neighbouring bfloat16 there.
template<class Rule>
double after_small_steps(Rule const& rule) {
    std::vector<bfloat16> start;
    for (int i = 0; i < 4096; ++i) start.push_back(bfloat16(1 + static_cast<float>(i % 64) / 128));
    vector_of<bfloat16, Rule> v(rule, start);
    std::vector<float> g(4096);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = 1 + static_cast<float>(i) / 1e6f;
    for (int step = 0; step < 2000; ++step) v.dense(g);
    double moved = 0;
    for (std::size_t i = 0; i < g.size(); ++i) moved += static_cast<double>(static_cast<float>(start[i]) - static_cast<float>(v.param[i]));
    return moved / 4096;
}

}   // namespace

TEST_CASE_TEMPLATE("a variable of 16 bits and what rounding took are a float, to the bit", Half, bfloat16, float16) {
    moves_as_floats<Half>(adam{.learning_rate = 0.01});
    moves_as_floats<Half>(momentum{.learning_rate = 1e-4, .momentum = 0.5, .use_nesterov = true});
    moves_as_floats<Half>(gradient_descent{.learning_rate = 0.3});
}
TEST_CASE("small steps: lost by rounding to the nearest, kept by a rest, on average by rounding at random") {
    gradient_descent const rule{.learning_rate = 5e-5};
    CHECK(after_small_steps(rule) == 0);
    CHECK(after_small_steps(master_weights<bfloat16>(rule)) == doctest::Approx(0.1002).epsilon(0.01));
    CHECK(after_small_steps(master_weights<bfloat16, bfloat16>(rule)) == doctest::Approx(0.1002).epsilon(0.02));
    CHECK(after_small_steps(stochastic_rounding(rule)) == doctest::Approx(0.1002).epsilon(0.02));
}
TEST_CASE("rounding at random: one of the two neighbours, the nearer one more often, the same in lanes and alone") {
    float const low = 1.25f, high = 1.2578125f;
    for (float const part : {0.f, 0.25f, 0.5f, 0.875f}) {
        float const x = low + part * (high - low);
        int up = 0;
        for (std::uint32_t salt = 0; salt < 20000; ++salt) {
            float const r = detail::dither_bfloat16<std::uint32_t>(x, salt, 3);
            if (r != low) REQUIRE(r == high);
            up += r == high;
        }
        CHECK(std::abs(up / 20000. - part) < 0.015);
    }
    for (float const x : {INFINITY, -INFINITY, NAN, 0.f, -0.f}) CHECK(same_bits(detail::dither_bfloat16<std::uint32_t>(x, 77u, 5), x));
    auto const rule = stochastic_rounding(adam{.learning_rate = 0.01});
    using Rule = std::remove_const_t<decltype(rule)>;
    std::size_t const n = 3 * simd::width<float> + 1;
    vector_of<bfloat16, Rule> all(rule, numbers<bfloat16>(n, 1));
    std::vector<vector_of<bfloat16, Rule>> single;
    for (std::size_t i = 0; i < n; ++i) single.emplace_back(rule, std::vector{all.param[i]});
    for (int step = 0; step < 10; ++step) {
        auto const g = slopes(n, step);
        all.dense(g);
        for (std::size_t i = 0; i < n; ++i) {
            single[i].dense(g[i]);
            CHECK(single[i].param[0].bits == all.param[i].bits);
        }
    }
    // the body of one number
    auto const s = rule.prepare<float>(7, all.powers);
    float one = 0.7f, slot[2]{0.1f, 0.2f};
    simd::batch<float> lanes(0.7f), slots[2]{simd::batch<float>(0.1f), simd::batch<float>(0.2f)}, g(0.3f);
    Rule::update(s, one, 0.3f, slot);
    Rule::update(s, lanes, g, slots);
    float out[simd::width<float>];
    simd::store(out, lanes);
    CHECK(out[0] == one);
}
TEST_CASE("slots of 16 bits are those of floats, rounded where they are written") {
    auto const rule = store_slots<bfloat16>(adam{.learning_rate = 0.01});
    using Rule = std::remove_const_t<decltype(rule)>;
    static_assert(bytes_per_parameter<Rule, float> == 20 && rule_slots<Rule>[2].type_for(dtype::float32) == dtype::float64);
    std::size_t const n = 19;
    vector_of<float, Rule> a(rule, numbers<float>(n, 1));
    vector_of<float, adam> b({.learning_rate = 0.01}, a.param);
    for (int step = 0; step < 10; ++step) {
        a.dense(slopes(n, step));
        b.dense(slopes(n, step));
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(same_bits(a.param[i], b.param[i]));
            for (std::size_t k = 0; k < 2; ++k) {
                b.slots[k][i] = static_cast<float>(bfloat16(b.slots[k][i]));
                CHECK(same_bits(a.slots[k][i], b.slots[k][i]));
            }
        }
    }
}
TEST_CASE("they stand in chains and keep what the rule says") {
    auto const all = chain(clip_by_value(-1, 1), stochastic_rounding(store_slots<float16>(lazy_adam{.learning_rate = 0.5})));
    using Rule = std::remove_const_t<decltype(all)>;
    static_assert(rule_variable_type<Rule> == dtype::bfloat16 && Rule::sparse == sparse_semantics::lazy);
    static_assert(rule_slots<Rule>[0].type == dtype::float16 && rule_slots<Rule>[0].name == "m");
    static_assert(rule_variable_type<adam> == dtype::literal && rule_slots<decltype(master_weights<float16>(adam{}))>[2].name == "rest");
    auto const split = master_weights<float16, bfloat16>(momentum{.learning_rate = -1});
    CHECK(check_of(split) == "momentum: learning_rate must be positive or zero, found -1");
    CHECK(slot_init_of(split, 1) == 0);
}
