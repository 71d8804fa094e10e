// SPDX-License-Identifier: MIT
// Indices out of range, wherever they come from: the call fails, and no variable has moved.
#include <xgrad/inspect/describe.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <support/trainer_state.hpp>

#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim n{"n"};
constexpr auto a = xg::variable<"a", float, 3>;
constexpr auto t = xg::variable<"t", float, 4, 3>;
constexpr auto second = xg::variable<"second", float, 9, 3>;
constexpr auto where = xg::input<"where", float, n>;
constexpr auto ids = xg::input<"ids", std::int32_t, n>;
constexpr auto rows = xg::input<"rows", float, n, 3>;
constexpr auto computed = xg::cast<std::int32_t>(where * 2_c);
constexpr auto loss_of_a = xg::sum(xg::square(a - 1_c));

using values_type = std::remove_const_t<decltype(rows)>;
template<class Ids>
constexpr auto slices(Ids) {
    return xg::indexed_slices<values_type, Ids, xg::typed_literal<float, 0>>{};
}

std::vector<float> const ones(6, 1.0f);

template<class Train, class Good, class Bad>
void check(Train& train, Good good, Bad bad) {
    good(train);
    float const a0 = train.value(a)[0], t0 = train.value(t)[0];
    CHECK(a0 != 0);
    CHECK(t0 != 0);
    CHECK_THROWS_AS(bad(train), xg::value_error);
    CHECK(train.value(a)[0] == a0);
    CHECK(train.value(t)[0] == t0);
    CHECK(train.global_step() == 1);
    good(train);
    CHECK(train.global_step() == 2);
}

}   // namespace

TEST_CASE("a lookup behind the first update") {
    constexpr auto loss_of_t = xg::sum(xg::square(xg::gather(t, computed) - 1_c));
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 0.1}, loss_of_a,
        xg::with_variable(xg::gradient_of(loss_of_a, a), a), xg::with_variable(xg::gradient_of(loss_of_t, t), t));
    check(
        train,
        [](auto& f) {
            f(where = std::vector<float>{0, 1});
        },
        [](auto& f) {
            f(where = std::vector<float>{0, 2});
        });
}
TEST_CASE("slices made by hand, indices of an input") {
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 0.1}, loss_of_a,
        xg::with_variable(xg::gradient_of(loss_of_a, a), a), xg::with_variable(slices(ids), t));
    check(
        train,
        [](auto& f) {
            f(ids = std::vector<std::int32_t>{0, 3}, rows = xg::array(ones.data(), 2, 3));
        },
        [](auto& f) {
            f(ids = std::vector<std::int32_t>{0, 1000000}, rows = xg::array(ones.data(), 2, 3));
        });
}
TEST_CASE("slices made by hand, computed indices, after each gate") {
    auto run = [](auto train) {
        check(
            train,
            [](auto& f) {
                f(where = std::vector<float>{0, 1.5f}, rows = xg::array(ones.data(), 2, 3));
            },
            [](auto& f) {
                f(where = std::vector<float>{0, -1}, rows = xg::array(ones.data(), 2, 3));
            });
    };
    xg::gradient_descent const rule{.learning_rate = 0.1};
    constexpr auto pair = xg::with_variable(xg::gradient_of(loss_of_a, a), a);
    run(xg::apply_gradients(rule, loss_of_a, pair, xg::with_variable(slices(computed), t)));
    run(xg::apply_gradients<xg::gating::graph>(rule, loss_of_a, pair, xg::with_variable(slices(computed), t)));
}
TEST_CASE("all indices are looked at before the first update") {
    constexpr auto other = xg::cast<std::int32_t>(where * 4_c);   // the table it is for is larger: 2 is good for this one
    auto run = [](auto train) {
        float const* const rows_of_second = &train.value(second)[0];
        check(
            train,
            [](auto& f) {
                f(where = std::vector<float>{0, 1.5f}, rows = xg::array(ones.data(), 2, 3));
            },
            [&](auto& f) {
                std::vector<float> const before(rows_of_second, rows_of_second + 27);
                // good for the update of t, which comes first, and out of range for the other; then the other way round
                CHECK_THROWS_AS(f(where = std::vector<float>{0, -0.25f}, rows = xg::array(ones.data(), 2, 3)), xg::value_error);
                CHECK(std::vector<float>(rows_of_second, rows_of_second + 27) == before);
                f(where = std::vector<float>{0, 2}, rows = xg::array(ones.data(), 2, 3));
            });
        CHECK(train.value(second)[0] == -0.2f);
        std::string const plan = xg::describe(train);
        std::size_t const last_check = plan.rfind(" check "), first_update = plan.find(" update ");
        CHECK(plan.find("rows of t are [0, 4): all of ") != plan.npos);
        CHECK(last_check < first_update);
    };
    xg::gradient_descent const rule{.learning_rate = 0.1};
    constexpr auto pair = xg::with_variable(xg::gradient_of(loss_of_a, a), a);
    constexpr auto one = xg::with_variable(slices(computed), t);
    constexpr auto two = xg::with_variable(slices(other), second);
    run(xg::apply_gradients(rule, loss_of_a, pair, one, two));
    run(xg::apply_gradients(rule, loss_of_a, two, one, pair));
    run(xg::apply_gradients<xg::gating::graph>(rule, loss_of_a, one, pair, two));
}

namespace {
template<class Rule>
void refuses_all(Rule const& rule) {
    INFO(Rule::name);
    auto train = xg::minimize(loss_of_a + xg::sum(xg::square(xg::gather(t, ids) - 1_c)), rule);
    train.initialize(xg::random_uniform{.seed = 1});
    for (std::vector<std::int32_t> const& good : {std::vector<std::int32_t>{0, 2, 0}, std::vector<std::int32_t>{3}}) train(ids = good);
    for (int const wrong : {4, -1, 1 << 30}) {
        auto const before = test::bytes_of(train);
        CHECK_THROWS_WITH_AS(train(ids = std::vector<std::int32_t>{1, 0, wrong, 2}),
            doctest::Contains(("\"ids\": index " + std::to_string(wrong) + " at offset 2 ").c_str()), xg::value_error);
        CHECK(test::bytes_of(train) == before);
    }
    train(ids = std::vector<std::int32_t>{1});
    CHECK(train.global_step() == 3);
}
}   // namespace

TEST_CASE("a wrong index changes nothing, whatever the rule does with rows") {
    refuses_all(xg::adam{});              // all rows
    refuses_all(xg::nadam{});             // all rows, those that occur otherwise
    refuses_all(xg::adagrad{});           // rows that occur
    refuses_all(xg::rowwise_adagrad{});   // a number for each
    refuses_all(xg::adafactor{});         // sums over all rows and columns
    refuses_all(xg::sm3{});               // numbers that move after them
    refuses_all(xg::counted{xg::momentum{}});
    refuses_all(xg::chain(xg::clip_by_value(-1, 1), xg::prodigy{}));
    refuses_all(xg::chain(xg::skip_nonfinite{}, xg::multi_steps{2}, xg::clip_by_norm(1), xg::ftrl{}, xg::ema{0.9}, xg::max_row_norm{1}));
}
