// SPDX-License-Identifier: MIT
// Reference values of the rules through the whole stack: expression, gradient, plan, kernel, store. Dense and sparse gradients.
#include <support/allocations.hpp>

#include <xgrad/xgrad.hpp>

#include <xgrad/inspect/summarize.hpp>
#include <xgrad/io/checkpoint.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "io/temporary_folder.hpp"
#include "optim/table.hpp"
#include "support/message_of.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

// The gradient of sum(v * g) is g: the rule sees the numbers that are fed.
constexpr auto v = xg::variable<"v", double, 2>;
constexpr auto g = xg::input<"g", double, 2>;
constexpr auto dense_loss = xg::sum(v * g);
// The same with slices: row ids[k] gets values[k].
inline constexpr xg::dim count{"count"};
constexpr auto t = xg::variable<"t", double, 3>;
constexpr auto ids = xg::input<"ids", std::int32_t, count>;
constexpr auto values = xg::input<"values", double, count>;
constexpr auto sparse_loss = xg::sum(xg::gather(t, ids) * values);

using list = std::vector<double>;

template<class View>
void check(View view, list const& expected, double tolerance = 1e-12) {
    REQUIRE(view.size() == static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        double const found = view[static_cast<std::int64_t>(i)];
        CHECK_MESSAGE(std::fabs(found - expected[i]) <= tolerance * std::fmax(1.0, std::fabs(expected[i])),
            "element " << i << ": " << found << " against " << expected[i]);
    }
}

template<class Rule>
auto dense(Rule const& rule, list const& start) {
    auto train = xg::minimize(dense_loss, rule);
    train.assign(v, start);
    return train;
}
template<class Rule>
auto sparse(Rule const& rule, list const& start) {
    auto train = xg::minimize(sparse_loss, rule);
    train.assign(t, start);
    return train;
}
template<class Train>
void feed(Train& train, list const& gradient, int steps = 1) {
    for (int i = 0; i < steps; ++i) train(g = gradient);
}
template<class Train>
void feed_rows(Train& train, std::vector<std::int32_t> const& rows, list const& gradient, int steps = 1) {
    for (int i = 0; i < steps; ++i) train(ids = rows, values = gradient);
}

}   // namespace

TEST_CASE("A4 gradient descent adds duplicate rows") {
    auto train = sparse(xg::gradient_descent{.learning_rate = 3}, {1, 2, 5});
    feed_rows(train, {1, 1}, {.1, .1});
    check(train.value(t), {1, 1.4, 5});
}
TEST_CASE("A5 Adagrad sums duplicate rows before squaring") {
    auto train = sparse(xg::adagrad{.learning_rate = 3}, {1, 2, 5});
    feed_rows(train, {1, 1}, {.1, .1});
    check(train.value(t), {1, 0.3964325485254536, 5});
    check(train.slot(t, "accumulator"), {.1, .14, .1});
}
TEST_CASE("A9 Momentum: two steps share the slot") {
    auto train = dense(xg::momentum{.learning_rate = 2, .momentum = .9}, {1, 2});
    feed(train, {.1, .1}, 2);
    check(train.value(v), {.42, 1.42});
    check(train.slot(v, "momentum"), {.19, .19});
}
TEST_CASE("B2 Nesterov with a gradient of ten times the value") {
    auto train = xg::minimize(5_c * xg::sum(v * v), xg::momentum{.learning_rate = 2, .momentum = .9, .use_nesterov = true});
    train.assign(v, list{1, 1});
    list const values_after{-37, 1352.8, -49468.78, 1808955.838}, slots_after{10, -361, 13203.1, -482805.01};
    for (std::size_t i = 0; i < 4; ++i) {
        train();
        check(train.value(v), {values_after[i], values_after[i]});
        check(train.slot(v, "momentum"), {slots_after[i], slots_after[i]});
    }
}
TEST_CASE("B3 B4 Nesterov with constant gradients, dense and sparse") {
    xg::momentum const rule{.learning_rate = 2, .momentum = .9, .use_nesterov = true};
    auto train = dense(rule, {3, 3});
    auto rows = sparse(rule, {3, 7, 3});
    for (double const x : {-8.4, -24.66, -45.294, -69.8646}) {
        feed(train, {3, 3});
        feed_rows(rows, {0, 2}, {3, 3});
        check(train.value(v), {x, x});
        check(rows.value(t), {x, 7, x});
    }
    auto small = dense(xg::momentum{.learning_rate = .1, .momentum = .9, .use_nesterov = true}, {1, 1});
    for (double const x : {.905, .7695, .59755}) {
        feed(small, {.5, .5});
        check(small.value(v), {x, x});
    }
}
TEST_CASE("B6 Adagrad") {
    auto train = dense(xg::adagrad{.learning_rate = 3}, {1, 2});
    feed(train, {.1, .1});
    check(train.value(v), {0.09546596626670911, 1.09546596626670911});
    feed(train, {.1, .1}, 2);
    check(train.value(v), {-1.6026097318555732, -0.6026097318555731});
    check(train.slot(v, "accumulator"), {.13, .13});
}
TEST_CASE("B7 Adagrad, sparse") {
    auto train = sparse(xg::adagrad{.learning_rate = 3}, {1, 2, 3});
    feed_rows(train, {0}, {.1}, 3);
    check(train.value(t), {-1.6026097318555732, 2, 3});
}
TEST_CASE("B15 Adam defaults, the powers advance once per apply") {
    auto train = dense(xg::adam{}, {1, 2});
    for (double const x : {0.9990000031622677, 0.9980000053988899, 0.9970000072255417}) {
        feed(train, {.1, .1});
        check(train.value(v), {x, x + 1});
    }
    CHECK(train.optimizer().powers.at[0] == doctest::Approx(.6561).epsilon(1e-14));
    CHECK(train.optimizer().powers.at[1] == doctest::Approx(.996005996001).epsilon(1e-14));
    CHECK(train.global_step() == 3);
}
TEST_CASE("B16 Adam, a small gradient") {
    auto train = dense(xg::adam{}, {3, 3});
    for (double const x : {2.9990000316217764, 2.9980000539875484, 2.997000072253766}) {
        feed(train, {.01, .01});
        check(train.value(v), {x, x});
    }
}
TEST_CASE("B18 Adam, sparse: rows that do not occur move too") {
    auto train = sparse(xg::adam{.learning_rate = .1}, {1, 2, 3});
    feed_rows(train, {0}, {.1});
    check(train.value(t), {0.900000316226766, 2, 3});
    feed_rows(train, {2}, {.1});
    check(train.value(t), {0.8329947028094913, 2, 2.925586552959283});
    check(train.slot(t, "m"), {.009, 0, .01});
    feed_rows(train, {}, {});   // an empty gradient still lets all rows decay
    CHECK(train.value(t)[0] < 0.8329947028094913);
    CHECK(train.slot(t, "m")[0] == doctest::Approx(.0081));
    CHECK(train.global_step() == 3);
}
TEST_CASE("B19 lazy Adam: rows that do not occur rest") {
    auto train = sparse(xg::lazy_adam{.learning_rate = .1}, {1, 2, 3});
    feed_rows(train, {0}, {.1});
    feed_rows(train, {2}, {.1});
    check(train.value(t), {0.900000316226766, 2, 2.925586552959283});
    check(train.slot(t, "m"), {.01, 0, .01});
    CHECK(train.optimizer().powers.at[0] == doctest::Approx(.9 * .9 * .9));
    auto same = xg::minimize(dense_loss, xg::lazy_adam{});   // dense gradients: Adam
    same.assign(v, list{1, 2});
    feed(same, {.1, .1}, 3);
    check(same.value(v), {0.9970000072255417, 1.9970000072255417});
}
TEST_CASE("B20 Nadam, sparse: rows that do not occur decay and stay") {
    auto train = sparse(xg::nadam{.learning_rate = .1}, {1, 2, 3});
    feed_rows(train, {0}, {.1});
    check(train.value(t), {0.8100006008308555, 2, 3});
    feed_rows(train, {2}, {.1});
    check(train.value(t), {0.8100006008308555, 2, 2.8586144506226376});
    check(train.slot(t, "m"), {.009, 0, .01});
}
TEST_CASE("schedule-free descent is evaluated at its mean") {
    auto train = dense(xg::schedule_free_sgd{.learning_rate = .5, .momentum = .5}, {1, 2});
    feed(train, {.25, -.5}, 3);
    // z moves by a half of the gradient each step, x is the mean of z after each: 1 - .125 (1 + 2 + 3) / 3
    for (std::int64_t i : {0, 1})
        CHECK(xg::schedule_free_sgd::average(train.value(v)[i], train.slot(v, "z")[i], .5) == doctest::Approx(i == 0 ? .75 : 2.5));
}
TEST_CASE("B27 B28 Ftrl without regularisation") {
    auto train = dense(xg::ftrl{.learning_rate = 3}, {0, 0});
    feed(train, {.1, .2}, 3);
    check(train.value(v), {-2.602609731855573, -4.296985311981304});
    auto from = dense(xg::ftrl{.learning_rate = 3}, {1, 2});
    feed(from, {.1, .2}, 3);
    check(from.value(v), {-2.556072321101165, -3.9872938214383367});
    check(from.slot(v, "linear"), {0.3072016605841502, 0.6234021926373654});
    auto rows = sparse(xg::ftrl{.learning_rate = 3}, {1, 9, 2});
    feed_rows(rows, {2, 0}, {.2, .1}, 3);
    check(rows.value(t), {-2.556072321101165, 9, -3.9872938214383367});
    check(rows.slot(t, "linear"), {0.3072016605841502, 0, 0.6234021926373654});
}
TEST_CASE("B30 B31 B32 Ftrl with l1, l2 and shrinkage") {
    auto train = dense(xg::ftrl{.learning_rate = 3, .l1 = .001, .l2 = 2}, {1, 2});
    feed(train, {.1, .2}, 10);
    check(train.value(v), {-0.24059934786402737, -0.4682935006112225});
    auto shrunk = dense(xg::ftrl{.learning_rate = 3, .l1 = .001, .l2 = 2, .l2_shrinkage = .1}, {1, 2});
    feed(shrunk, {.1, .2}, 10);
    check(shrunk.value(v), {-0.22578995753358178, -0.44345795494374035});
    check(shrunk.slot(v, "accum"), {.2, .5});
    auto rows = sparse(xg::ftrl{.learning_rate = 3, .l1 = .001, .l2 = 2, .l2_shrinkage = .1}, {4, 3, 8});
    feed_rows(rows, {0, 1}, {.01, .02}, 10);
    check(rows.value(t), {-0.14378493720553873, -0.1322947411321359, 8});
}
TEST_CASE("B34 B35 B36 Ftrl with other powers") {
    auto none = dense(xg::ftrl{.learning_rate = 3, .learning_rate_power = 0}, {0, 0});
    feed(none, {.1, .2}, 5);
    check(none.value(v), {-1.5, -3});
    auto full = dense(xg::ftrl{.learning_rate = 3, .learning_rate_power = -1}, {1, 2});
    feed(full, {.1, .2}, 2);
    check(full.value(v), {-5.136363636363635, -7.0476190476190474});
    auto empty = dense(xg::ftrl{.learning_rate = .1, .initial_accumulator = 0}, {1, 1});
    feed(empty, {.5, .5});
    check(empty.value(v), {.9, .9});
}
TEST_CASE("B47 AdamW, in both forms") {
    auto train = dense(xg::adamw{.weight_decay = .01}, {1, 1});
    for (double const x : {0.9890000031622677, 0.9781100053672672, 0.9673289071402463}) {
        feed(train, {.1, .1});
        check(train.value(v), {x, x});
    }
    // the paper's form, theta - rate * (m / sqrt(v) + decay * theta); the reference rounds off epsilon
    auto paper = dense(xg::adamw{.weight_decay = .01, .decay_by_rate = true}, {1, 1});
    feed(paper, {.1, .1});
    check(paper.value(v), {0.9989900000999999, 0.9989900000999999}, 1e-8);
}
TEST_CASE("a hyper-parameter that is changed to what it must not be is refused, and nothing moves") {
    auto train = dense(xg::adam{}, {1, 2});
    auto& rule = train.rule();   // may be kept: each later step looks at it
    feed(train, {.1, .1});
    auto const sentence = [&] { return test::message_of<xg::value_error>([&] { feed(train, {.1, .1}); }); };
    auto const unmoved = [&] {
        check(train.value(v), {0.9990000031622677, 1.9990000031622677});
        check(train.slot(v, "m"), {.01, .01});
        CHECK(train.optimizer().powers.at[0] == doctest::Approx(.81).epsilon(1e-14));
        CHECK(train.global_step() == 1);
    };
    rule.beta1 = 1.5;
    CHECK(sentence() == "xgrad: adam: beta1 must be in [0, 1), found 1.5");
    unmoved();
    rule.beta1 = .9;
    rule.learning_rate = -1;
    CHECK(sentence() == "xgrad: adam: learning_rate must be positive or zero, found -1");
    rule.learning_rate = std::nan("");
    CHECK(sentence() == "xgrad: adam: learning_rate must be positive or zero, found nan");
    xg::status const s = train.try_step(g = list{.1, .1});
    CHECK(s.code == xg::status_code::refused_hyper);
    CHECK(s.name == "adam: learning_rate must be positive or zero, found nan");
    unmoved();
    rule.learning_rate = [](std::int64_t step) { return step == 2 ? -.5 : .001; };
    feed(train, {.1, .1});
    CHECK(sentence() == "xgrad: adam: learning_rate must be positive or zero, found -0.5 in step 2");
    CHECK(train.global_step() == 2);
    rule.learning_rate = 1e-3;
    feed(train, {.1, .1});
    check(train.value(v), {0.9970000072255417, 1.9970000072255417});
}
TEST_CASE("a function among the hyper-parameters is called once in each step") {
    int calls = 0;
    auto train = dense(xg::adam{.beta1 = [&calls](std::int64_t) { return ++calls, .9; }}, {1, 2});
    calls = 0;   // the powers begin with it
    feed(train, {.1, .1}, 3);
    CHECK(calls == 3);
    check(train.value(v), {0.9970000072255417, 1.9970000072255417});
}
TEST_CASE("a schedule that leaves its range is refused where it does") {
    auto train = dense(xg::momentum{.learning_rate = [](std::int64_t step) { return 1.0 - static_cast<double>(step); }}, {1, 2});
    feed(train, {.1, .1}, 2);
    list const before(train.value(v).begin(), train.value(v).end());
    CHECK_THROWS_AS(feed(train, {.1, .1}), xg::value_error);
    check(train.value(v), before, 0);
    CHECK_THROWS_AS(static_cast<void>(dense(xg::momentum{.learning_rate = -1}, {1, 2})), xg::value_error);
    CHECK_THROWS_AS(static_cast<void>(dense(xg::gradient_descent{.learning_rate = std::nan("")}, {1, 2})), xg::value_error);
}
TEST_CASE("float variables follow the same values to float's precision, in blocks of all lengths") {
    constexpr auto w = xg::variable<"w", float, 37>;
    constexpr auto h = xg::input<"h", float, 37>;
    auto train = xg::minimize(xg::sum(w * h), xg::adam{});
    std::vector<float> const start(37, 1.0f), gradient(37, .1f);
    train.assign(w, start);
    for (int i = 0; i < 3; ++i) train(h = gradient);
    for (float const x : train.value(w)) CHECK(x == doctest::Approx(0.9970000072255417).epsilon(1e-6));
}

namespace {

// Matrices whose sizes are known when the trainer is made, one of bfloat16, and a vector for another rule.
inline constexpr xg::dim features{"features"};
constexpr auto tall = xg::variable<"tall", float, features, 6>;
constexpr auto wide = xg::variable<"wide", xg::bfloat16, 3, 11>;
constexpr auto curved = xg::variable<"curved", float, 5, features>;
constexpr auto bias = xg::variable<"bias", float, 6>;
constexpr auto tall_gradient = xg::input<"tall_gradient", float, features, 6>;
constexpr auto wide_gradient = xg::input<"wide_gradient", float, 3, 11>;
constexpr auto curved_gradient = xg::input<"curved_gradient", float, 5, features>;
constexpr auto matrix_loss =
    xg::sum(tall * tall_gradient) + xg::sum(xg::cast<float>(wide) * wide_gradient) + xg::sum(curved * curved_gradient) + xg::sum(bias);

struct matrix_steps {
    std::vector<float> a = std::vector<float>(17 * 6), b = std::vector<float>(3 * 11), c = std::vector<float>(5 * 17);
    template<class Train>
    void operator()(Train& train, int step) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(step) * 5) % 13) / 8 - .75f;
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>((i * 5 + static_cast<std::size_t>(step) * 3) % 11) / 8 - .5f;
        for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>((i * 3 + static_cast<std::size_t>(step) * 7) % 17) / 8 - 1;
        train(tall_gradient = xg::array(a.data(), 17, 6), wide_gradient = xg::array(b.data(), 3, 11),
            curved_gradient = xg::array(c.data(), 5, 17));
    }
};
template<class View>
std::vector<float> floats(View view) {
    std::vector<float> r;
    for (auto const x : view) r.push_back(static_cast<float>(x));
    return r;
}

}   // namespace

TEST_CASE("Muon and Shampoo: matrices of named and 16-bit variables as the kernel moves them, without allocation, and after a checkpoint") {
    xg::muon const how{.learning_rate = .05};
    xg::shampoo const curving{.learning_rate = .1, .update_every = 2};
    auto const make = [&] {
        return xg::minimize(matrix_loss, xg::param_group(how, tall, wide), xg::param_group(curving, curved), xg::adam{}, features = 17);
    };
    auto train = make(), again = make();
    matrix_steps steps;
    xgrad_test::table<xg::muon, float> first(how, 6, std::vector<float>(17 * 6)), second(how, 11, std::vector<float>(3 * 11));
    xgrad_test::table<xg::shampoo, float> third(curving, 17, std::vector<float>(5 * 17));
    for (int step = 0; step < 3; ++step) {
        steps(train, step);
        first.dense(steps.a);
        second.dense(steps.b);
        third.dense(steps.c);
        for (float& x : second.param) x = static_cast<float>(xg::bfloat16(x));
        CHECK(floats(train.value(tall)) == first.param);
        CHECK(floats(train.slot<"momentum">(tall)) == first.slots[0]);
        CHECK(floats(train.value(wide)) == second.param);
        CHECK(floats(train.slot<"momentum">(wide)) == second.slots[0]);
    }
    CHECK(floats(train.value(curved)) == third.param);
    CHECK(std::abs(third.param[1]) > .01f);
    auto const left = train.slot<"left_root">(curved), right = train.slot<"right">(curved);
    CHECK(left.shape() == std::array<std::int64_t, 2>{5, 5});
    CHECK(right.shape() == std::array<std::int64_t, 2>{17, 17});
    CHECK(std::vector<double>(left.begin(), left.end()) == third.slots[3]);
    CHECK(std::vector<double>(right.begin(), right.end()) == third.slots[2]);
    CHECK(xg::summarize(train, features = 17).find("shampoo moves 85 with 713 slot values") != std::string::npos);   // 85 + 2 (25 + 289)
    CHECK(train.slot<"m">(bias)[0] > 0);
#if XGRAD_INTERCEPT
    CHECK(test::count_allocations([&] { steps(train, 3); }) == 0);
#else
    steps(train, 3);
#endif
    temporary_folder folder;
    xg::save(train, (folder.path / "matrices.safetensors").string());
    xg::restore(again, (folder.path / "matrices.safetensors").string());
    steps(train, 4);
    steps(again, 4);
    CHECK(floats(again.value(tall)) == floats(train.value(tall)));
    CHECK(floats(again.value(wide)) == floats(train.value(wide)));
    CHECK(floats(again.slot<"momentum">(tall)) == floats(train.slot<"momentum">(tall)));
    steps(train, 5);   // takes roots
    steps(again, 5);
    CHECK(floats(again.value(curved)) == floats(train.value(curved)));
    CHECK(floats(again.slot<"right_root">(curved)) == floats(train.slot<"right_root">(curved)));
    again.grow(features = 19, xg::random_uniform{.seed = 3});
    auto const wider = again.slot<"right">(curved);
    CHECK(wider.shape() == std::array<std::int64_t, 2>{19, 19});
    for (std::int64_t i = 0; i < 19; ++i)
        for (std::int64_t j = 0; j < 19; ++j) CHECK(wider(i, j) == (i < 17 && j < 17 ? train.slot<"right">(curved)(i, j) : 0.0));
}
TEST_CASE("Muon and Shampoo: a matrix of two factors is found") {
    constexpr auto left = xg::variable<"left", double, 8, 3>;
    constexpr auto right = xg::variable<"right", double, 3, 5>;
    constexpr auto wanted = xg::input<"wanted", double, 8, 5>;
    list product(40), start(24), other(15);
    for (std::size_t i = 0; i < 24; ++i) start[i] = static_cast<double>(i * 7 % 11) / 8 - .5;
    for (std::size_t i = 0; i < 15; ++i) other[i] = static_cast<double>(i * 5 % 13) / 8 - .75;
    for (std::size_t i = 0; i < 8; ++i)   // of rank 2
        for (std::size_t j = 0; j < 5; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                product[i * 5 + j] += std::sin(static_cast<double>(i + 3 * k)) * std::cos(static_cast<double>(2 * j + k));
    auto const find = [&](auto const& rule, int steps) {
        auto train = xg::minimize(xg::sum(xg::square(xg::matmul(left, right) - wanted)), rule);
        train.assign(left, xg::array(start.data(), 8, 3));
        train.assign(right, xg::array(other.data(), 3, 5));
        double loss = train(wanted = xg::array(product.data(), 8, 5));
        CHECK(loss > 3);
        for (int step = 0; step < steps; ++step) loss = train(wanted = xg::array(product.data(), 8, 5));
        return loss;
    };
    xg::exponential_decay const rate{.learning_rate = .2, .decay_steps = 20, .decay_rate = .75};
    CHECK(find(xg::muon{.learning_rate = rate, .weight_decay = 0}, 400) < 1e-5);
    CHECK(find(xg::shampoo{.learning_rate = .5}, 200) < 1e-5);
}
