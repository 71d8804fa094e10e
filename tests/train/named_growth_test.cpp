// SPDX-License-Identifier: MIT
// Variables with named dimensions: the state that belongs to them, growth between steps, indices into tables of several.
#include <train/named_variables.hpp>

using namespace named_variables;

TEST_CASE("given gradients, state pairs and assign") {
    constexpr auto w = xg::variable<"w", float, features>;
    constexpr auto average = xg::non_trainable<"average", float, features>;
    constexpr auto loss = xg::sum(xg::square(w));
    constexpr auto g = xg::gradient_of(loss, w);
    auto apply = xg::apply_gradients(xg::gradient_descent{.learning_rate = 0.25}, loss, xg::with_variable(g, w), features = 3);
    apply.assign(w, test::list({1.0f, 2.0f, 3.0f}));
    CHECK(apply() == 14);
    CHECK(copy(apply.value(w)) == std::vector<float>{0.5f, 1, 1.5f});
    CHECK_THROWS_AS(apply.assign(w, test::list({1.0f, 2.0f})), xg::shape_error);
    auto train =
        xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.25}, xg::assign(average, 0.5_c * average + 0.5_c * w), features = 2);
    train.assign(w, test::list({4.0f, 8.0f}));
    train();
    CHECK(copy(train.value(average)) == std::vector<float>{2, 4});
    CHECK(xg::summarize(train).find("parameters 2*features in 2 variables") != std::string::npos);
    CHECK(xg::summarize(train, features = 2).find("parameters 4 in 2 variables") != std::string::npos);
}

TEST_CASE_TEMPLATE(
    "grown in the middle is as if it had been large from the start", Rule, xg::adagrad, xg::lazy_adam, xg::ftrl, xg::momentum) {
    constexpr auto table = xg::variable<"table", float, features, 3>;
    constexpr auto columns = xg::variable<"columns", float, 2, features>;
    constexpr auto loss = xg::sum(xg::square(xg::gather(table, ids) - 1_c)) + xg::sum(xg::square(xg::gather(xg::transpose(columns), ids)));
    xg::random_uniform const how{.seed = 4, .range = 1};
    auto grown = xg::minimize(loss, xg::param_group(xg::gradient_descent{}, columns), xg::param_group(Rule{}), features = 4);
    auto large = xg::minimize(loss, xg::param_group(xg::gradient_descent{}, columns), xg::param_group(Rule{}), features = 9);
    grown.initialize(how);
    large.initialize(how);
    auto view = large.value(columns);   // the elements of a row that is not the last axis do not continue a stream
    for (std::int64_t i = 0; i < 2; ++i)
        for (std::int64_t k = 0; k < 4; ++k) view(i, k) = grown.value(columns)(i, k);
    auto const first = test::list<std::int32_t>({0, 3, 3, 1}), second = test::list<std::int32_t>({8, 3, 5, 0, 4});
    xg::function sums{xg::sum<1>(table), grown};
    for (int k = 0; k < 3; ++k) CHECK(grown(ids = first) == large(ids = first));
    CHECK(sums().size() == 4);
    CHECK_THROWS_AS(grown(ids = second), xg::value_error);
    std::string_view const slot = xg::rule_slots<Rule>[0].name;
    auto const m = copy(grown.slot(table, slot));
    grown.grow(features = 9, how);
    CHECK(grown.global_step() == 3);
    CHECK(grown.slot(table, slot).shape() == std::array<std::int64_t, 2>{9, 3});
    CHECK(std::equal(m.begin(), m.end(), grown.slot(table, slot).begin()));
    CHECK(copy(grown.slot(table, slot)) == copy(large.slot(table, slot)));
    CHECK(copy(grown.value(table)) == copy(large.value(table)));
    CHECK(sums().size() == 9);   // functions follow
    for (std::int64_t i = 0; i < 2; ++i)
        for (std::int64_t k = 4; k < 9; ++k) view(i, k) = grown.value(columns)(i, k);
    for (int k = 0; k < 3; ++k) CHECK(grown(ids = second) == large(ids = second));
    CHECK(copy(grown.value(table)) == copy(large.value(table)));
    CHECK(copy(grown.value(columns)) == copy(large.value(columns)));
    CHECK(sums()[8] == doctest::Approx(grown.value(table)(8, 0) + grown.value(table)(8, 1) + grown.value(table)(8, 2)));
}

TEST_CASE("what cannot grow stays as it is; the noexcept form asks for room") {
    auto train = xg::minimize(named::loss, xg::adam{.learning_rate = 0.1}, features = 11, width = 5);
    train.initialize(xg::glorot_uniform{.seed = 2});
    data const d;
    step<named>(train, d);
    float const* const w = train.value(named::w).data();
    CHECK_THROWS_AS(train.grow(features = 10, xg::random_uniform{}), xg::shape_error);
    CHECK_THROWS_AS(train.grow(batch = 10, xg::random_uniform{}), xg::binding_error);
    CHECK_THROWS_AS(train.grow(features = -1, xg::random_uniform{}), xg::value_error);
    CHECK(train.value(named::w).data() == w);
    train.grow(width = 60, features = 11, xg::random_uniform{.seed = 3});
    CHECK(train.value(named::w).shape() == std::array<std::int64_t, 2>{11, 60});
    CHECK(train.value(named::v).shape() == std::array<std::int64_t, 2>{60, 1});
    CHECK(train.slot(named::w, "m")(3, 5) == 0);
    CHECK(train.slot(named::w, "v")(3, 4) != 0);
    CHECK(train.try_step(x = d.in, ids = d.rows, y = d.out).code == xg::status_code::capacity_exceeded);
    train.reserve(batch = 7);
    CHECK(train.try_step(x = d.in, ids = d.rows, y = d.out));
    CHECK(train.global_step() == 2);
    xg::variables vars{named::hidden, features = 11, width = 5};
    vars.initialize(xg::glorot_uniform{.seed = 2});
    auto const before = copy(vars.value(named::w));
    vars.grow(features = 20, xg::glorot_uniform{.seed = 2});
    CHECK(std::equal(before.begin(), before.end(), vars.value(named::w).begin()));
    CHECK(vars.value(named::w)(19, 4) != 0);
}

TEST_CASE("indices of one input into two tables of different named dimensions") {
    static constexpr auto first = xg::variable<"first", float, features, 2>;
    static constexpr auto second = xg::variable<"second", float, width, 2>;
    static constexpr auto early = xg::non_trainable<"early", float, 2>;   // whose assignment need not wait for the lookups
    static constexpr auto new_value = xg::input<"new_value", float, 2>;
    static constexpr auto loss = xg::sum(xg::gather(first, ids) * xg::gather(second, ids));
    auto const run = [](auto rows_of_first, auto rows_of_second) {
        auto train = xg::minimize(
            loss, xg::gradient_descent{.learning_rate = 1}, xg::assign(early, new_value), features = rows_of_first, width = rows_of_second);
        train.initialize(xg::random_uniform{.seed = 3, .range = 1});
        auto const before = copy(train.value(early));
        auto const value = test::numbers<float>({2});
        CHECK_THROWS_AS(train(ids = test::list<std::int32_t>({0, 4}), new_value = value), xg::value_error);
        CHECK(copy(train.value(early)) == before);
        CHECK_NOTHROW(train(ids = test::list<std::int32_t>({0, 3}), new_value = value));
    };
    run(4, 9);
    run(9, 4);
}
