// SPDX-License-Identifier: MIT
// minimize and apply_gradients: which variables are updated, by which rule, when; what a call reads and returns.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

using list = std::vector<double>;
template<class View>
list values(View view) {
    return list(view.begin(), view.end());
}
template<class View>
void check(View view, list const& expected, double tolerance = 1e-12) {
    REQUIRE(view.size() == static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::fabs(view[static_cast<std::int64_t>(i)] - expected[i]) <= tolerance * std::fmax(1, std::fabs(expected[i])));
}

constexpr auto a = xg::variable<"a", double, 2>;
constexpr auto b = xg::variable<"b", double, 2>;
inline constexpr xg::dim count{"count"};
constexpr auto ids = xg::input<"ids", std::int32_t, count>;
constexpr auto g = xg::input<"g", double, count, 1>;

}   // namespace

TEST_CASE("A1 minimize takes the sum of a loss of any shape, and counts its steps") {
    auto train = xg::minimize(5_c * a + 3_c * b, xg::gradient_descent{.learning_rate = 3});
    train.assign(a, list{1, 2});
    train.assign(b, list{3, 4});
    CHECK(train.global_step() == 0);
    auto const loss = train();
    check(loss, {14, 22});   // before the update
    check(train.value(a), {-14, -13});
    check(train.value(b), {-6, -5});
    CHECK(train.global_step() == 1);
}

TEST_CASE("A7 variables that the loss does not depend on, or only by integers, are left alone") {
    constexpr auto away = xg::variable<"away", double, 2>;
    auto train = xg::minimize(xg::sum(a * a) + 0_c * xg::sum(xg::stop_gradient(away)), xg::adam{});
    train.assign(a, list{1, 1});
    train.assign(away, list{7, 8});
    for (int i = 0; i < 3; ++i) train();
    check(train.value(away), {7, 8});
    CHECK(train.value(a)[0] < 1);
}

TEST_CASE("A8 Adam's slots: their names, their number, their start") {
    auto train = xg::minimize(xg::sum(a * b), xg::adam{});
    int slots = 0;
    for (auto const& v : train.optimizer().all()) slots += v.slot_count;
    CHECK(slots + train.optimizer().power_names.count == 6);
    CHECK(std::ranges::equal(train.optimizer().power_names, std::vector<std::string>{"beta1_power", "beta2_power"}));
    CHECK(xg::tf_slot_name<xg::adam>("a", 0) == "a/Adam");
    CHECK(xg::tf_slot_name<xg::adam>("a", 1) == "a/Adam_1");
    for (char const* name : {"m", "v"}) check(train.slot(a, name), {0, 0});
    CHECK_THROWS_AS(train.slot(a, "momentum"), xg::binding_error);
    auto ada = xg::minimize(xg::sum(a * b), xg::adagrad{.initial_accumulator = 0.25});
    check(ada.slot(b, "accumulator"), {0.25, 0.25});
}

TEST_CASE("A12 duplicate rows are summed, wherever they stand") {
    constexpr auto table = xg::variable<"table", double, 8, 1>;
    auto train = xg::minimize(xg::sum(xg::gather(table, ids) * g), xg::gradient_descent{.learning_rate = 1});
    std::vector<std::int32_t> const rows{5, 2, 5, 7, 2};
    list const gradient{1, 10, 100, 1000, 10000};
    train(ids = rows, g = xg::array(gradient.data(), 5, 1));
    check(train.value(table), {0, 0, -10010, 0, 0, -101, 0, -1000});
    // the same through a rule that squares: one update of each row with the sum
    auto ada = xg::minimize(xg::sum(xg::gather(table, ids) * g), xg::adagrad{.initial_accumulator = 1});
    ada(ids = rows, g = xg::array(gradient.data(), 5, 1));
    check(ada.slot(table, "accumulator"), {1, 1, 1 + 10010. * 10010., 1, 1, 1 + 101. * 101., 1, 1 + 1e6});
}

TEST_CASE("A13 slices as a dense gradient; an index outside is refused and changes nothing") {
    constexpr auto table = xg::variable<"table", double, 2, 1>;
    constexpr auto loss = xg::sum(xg::gather(table, ids) * g);
    auto slices = xg::gradient_of(loss, table);
    xg::variables vars{loss};
    xg::function dense{slices.dense, vars};
    std::vector<std::int32_t> rows{0, 0, 1};
    list const gradient{1, 2, 4};
    check(dense(ids = rows, g = xg::array(gradient.data(), 3, 1)), {3, 4});
    for (std::int32_t const bad : {2, -1, 1 << 30}) {
        rows[2] = bad;
        CHECK_THROWS_AS(dense(ids = rows, g = xg::array(gradient.data(), 3, 1)), xg::value_error);
    }
}

TEST_CASE("A17 hyper-parameters stay double for double variables") {
    constexpr auto v = xg::variable<"v", double>;
    auto train = xg::minimize(0.5_c * v, xg::gradient_descent{.learning_rate = 0.1});
    train.assign(v, 1.0);
    train();
    CHECK(train.value(v)[0] == 0.95);
}

TEST_CASE("groups: each variable by the rule that names it, the others by the rule without names") {
    constexpr auto c = xg::variable<"c", double, 2>;
    auto train = xg::minimize(xg::sum(a) + xg::sum(b) + xg::sum(c), xg::param_group(xg::adam{.learning_rate = .5}, a),
        xg::param_group(xg::gradient_descent{.learning_rate = 1}, b), xg::param_group(xg::adagrad{.learning_rate = 1}));
    train();
    check(train.value(a), {-.5, -.5}, 1e-6);
    check(train.value(b), {-1, -1});
    check(train.value(c), {-1 / std::sqrt(1.1), -1 / std::sqrt(1.1)});
    check(train.slot(c, "accumulator"), {1.1, 1.1});
    CHECK_THROWS_AS(train.slot(b, "accumulator"), xg::binding_error);
    // without a group for the rest, the rest stays
    auto some = xg::minimize(xg::sum(a) + xg::sum(b), xg::param_group(xg::gradient_descent{.learning_rate = 1}, b));
    some();
    check(some.value(a), {0, 0});
    check(some.value(b), {-1, -1});
    // the powers of two Adams are two
    auto two = xg::minimize(xg::sum(a) + xg::sum(b), xg::param_group(xg::adam{.beta1 = .5}, a), xg::param_group(xg::adam{.beta1 = .25}, b));
    two();
    two();
    CHECK(two.optimizer().powers.at[0] == .125);
    CHECK(two.optimizer().powers.at[2] == .015625);
}

TEST_CASE("non-trainable variables are left alone, unless a group names them") {
    constexpr auto fixed = xg::non_trainable<"fixed", double, 2>;
    constexpr auto loss = xg::sum(a * fixed);
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 1});
    train.assign(fixed, list{2, 3});
    train();
    check(train.value(fixed), {2, 3});
    check(train.value(a), {-2, -3});
    auto named = xg::minimize(
        loss, xg::param_group(xg::gradient_descent{.learning_rate = 1}, fixed), xg::param_group(xg::gradient_descent{.learning_rate = 2}));
    named.assign(fixed, list{2, 3});
    named.assign(a, list{1, 1});
    named();
    check(named.value(fixed), {1, 2});
    check(named.value(a), {-3, -5});
}

TEST_CASE("E12 the powers advance once per step, however many variables and element types") {
    constexpr auto f = xg::variable<"f", float, 3>;
    constexpr auto d = xg::variable<"d", double, 3>;
    auto train = xg::minimize(xg::cast<double>(xg::sum(f)) + xg::sum(d) + xg::sum(a), xg::adam{});
    for (int i = 0; i < 5; ++i) train();
    CHECK(train.optimizer().powers.at[0] == doctest::Approx(std::pow(.9, 6)).epsilon(1e-14));
    CHECK(train.optimizer().powers.at[1] == doctest::Approx(std::pow(.999, 6)).epsilon(1e-14));
    CHECK(train.global_step() == 5);
}

TEST_CASE("schedules and changed hyper-parameters are read once per step") {
    auto train = xg::minimize(xg::sum(a), xg::gradient_descent{.learning_rate = 1});
    train();
    train.rule().learning_rate = 10;
    train();
    check(train.value(a), {-11, -11});
}

TEST_CASE("weights used twice are updated after they are read for the last time") {
    constexpr auto w = xg::variable<"w", double, 2, 2>;
    constexpr auto x = xg::input<"x", double, 1, 2>;
    constexpr auto y = xg::matmul(xg::matmul(x, w), w);
    auto train = xg::minimize(xg::sum(y), xg::gradient_descent{.learning_rate = .1});
    train.assign(w, xg::array(list{1, 2, 3, 4}.data(), 2, 2));
    list const in{1, 1};
    check(xg::array(list{train(x = xg::array(in.data(), 1, 2))}.data(), 1), {54});
    // dW = xᵀ(1 Wᵀ) + (xW)ᵀ1 with xW = [4, 6], 1 Wᵀ = [3, 7]
    check(train.value(w), {1 - .7, 2 - 1.1, 3 - .9, 4 - 1.3});
    // as a table of rows and as a matrix in one loss: the dense and the sparse part add up
    constexpr auto both = xg::sum(xg::gather(w, ids)) + xg::sum(w * w);
    auto mixed = xg::minimize(both, xg::gradient_descent{.learning_rate = 1});
    mixed.assign(w, xg::array(list{1, 2, 3, 4}.data(), 2, 2));
    std::vector<std::int32_t> const rows{1, 1, 1};
    mixed(ids = rows);
    check(mixed.value(w), {-1, -2, -6, -7});
}

TEST_CASE("a gradient that is itself a variable is the old value of it") {
    list const rows_of_c{1, 2, 3, 4};
    auto const both = [&]<xg::gating Gate, bool Fuse>() {
        auto train = xg::minimize<Gate, Fuse>(xg::sum(a * b), xg::gradient_descent{.learning_rate = 1});
        train.assign(a, list{1, 2});
        train.assign(b, list{10, 20});
        train();
        check(train.value(a), {-9, -18});
        check(train.value(b), {9, 18});
        train();
        check(train.value(a), {-18, -36});
        check(train.value(b), {18, 36});
    };
    both.operator()<xg::gating::none, true>();
    both.operator()<xg::gating::graph, true>();
    both.operator()<xg::gating::op, false>();
    // rows of one variable as values for another, and its own
    constexpr auto c = xg::variable<"c", double, 2, 2>;
    constexpr auto two = xg::input<"two", std::int32_t, 2>;
    constexpr auto t = xg::variable<"t", double, 3, 2>;
    std::vector<std::int32_t> const to{2, 0};
    auto sparse = xg::minimize(xg::sum(xg::gather(t, two) * c), xg::gradient_descent{.learning_rate = 1});
    sparse.assign(c, xg::array(rows_of_c.data(), 2, 2));
    list const ones(6, 1.0);
    sparse.assign(t, xg::array(ones.data(), 3, 2));
    sparse(two = to);
    check(sparse.value(t), {-2, -3, 1, 1, 0, -1});
    check(sparse.value(c), {0, 1, 2, 3});
    // the own value as gradient: in place
    auto own = xg::minimize(0.5_c * xg::sum(a * a), xg::gradient_descent{.learning_rate = .5});
    own.assign(a, list{4, 8});
    own();
    check(own.value(a), {2, 4});
}

TEST_CASE("functions and variables borrow: what the trainer changes, they see") {
    auto train = xg::minimize(xg::sum(a * a), xg::gradient_descent{.learning_rate = .25});
    train.assign(a, list{1, 2});
    xg::function twice{2_c * a, train};
    xg::function both{xg::outputs(xg::sum(a), a + 1_c), train};
    check(twice(), {2, 4});
    train();
    check(twice(), {1, 2});
    auto const [sum, plus] = both();
    CHECK(sum == 1.5);
    check(plus, {1.5, 2});
    auto moved = std::move(train);   // the store stays where it is
    moved();
    check(twice(), {.5, 1});
    constexpr auto stranger = xg::variable<"stranger", double, 2>;
    CHECK_THROWS_AS(static_cast<void>(xg::function{a + stranger, moved}), xg::binding_error);
    constexpr auto other = xg::variable<"a", double, 3>;
    CHECK_THROWS_AS(static_cast<void>(xg::function{other * 2_c, moved}), xg::shape_error);
}

TEST_CASE("an expression of another shape or element type does not reach a variable of that name") {
    auto train = xg::minimize(xg::sum(a * a), xg::adam{});
    constexpr auto longer = xg::variable<"a", double, 3>;
    constexpr auto narrower = xg::variable<"a", float, 2>;
    constexpr auto stranger = xg::variable<"stranger", double, 2>;
    CHECK_THROWS_AS(train.value(longer), xg::shape_error);
    CHECK_THROWS_AS(train.value(narrower), xg::shape_error);
    CHECK_THROWS_AS(train.slot(longer, "m"), xg::shape_error);
    CHECK_THROWS_AS(train.assign(longer, list{1, 2, 3}), xg::shape_error);
    CHECK_THROWS_AS(train.assign(narrower, std::vector<float>{1, 2}), xg::shape_error);
    CHECK_THROWS_AS(train.value(stranger), xg::binding_error);
    check(train.value(a), {0, 0});
}

TEST_CASE("a constant owner shows its variables for reading; a variable can be assigned its own value") {
    auto train = xg::minimize(xg::sum(a * a), xg::adam{});
    train.assign(a, list{1, 2});
    auto const& constant = train;
    static_assert(std::is_same_v<decltype(constant.value(a)), xg::tensor_view<double const, 1>>);
    check(constant.value(a), {1, 2});
    train.assign(a, constant.value(a));
    check(train.value(a), {1, 2});
    xg::function twice{2_c * a, constant};
    check(twice(), {2, 4});
}

TEST_CASE("reset_optimizer is a new start for the variables that are there") {
    auto train = xg::minimize(xg::sum(xg::square(a)) + xg::sum(xg::square(b)), xg::param_group(xg::adam{}, a),
        xg::param_group(xg::adagrad{.initial_accumulator = 0.5}));
    auto fresh = xg::minimize(xg::sum(xg::square(a)) + xg::sum(xg::square(b)), xg::param_group(xg::adam{}, a),
        xg::param_group(xg::adagrad{.initial_accumulator = 0.5}));
    for (auto* t : {&train, &fresh}) {
        t->assign(a, list{1, 2});
        t->assign(b, list{3, 4});
    }
    for (int i = 0; i < 3; ++i) train();
    train.reset_optimizer();
    CHECK(train.global_step() == 0);
    CHECK(std::ranges::equal(train.optimizer().power_names, fresh.optimizer().power_names));
    CHECK(std::ranges::equal(train.optimizer().powers, fresh.optimizer().powers));
    CHECK(train.value(a)[0] < 1);
    train.assign(a, list{1, 2});
    train.assign(b, list{3, 4});
    for (int i = 0; i < 3; ++i) {
        train();
        fresh();
    }
    check(train.value(a), values(fresh.value(a)), 0);
    check(train.slot(b, "accumulator"), values(fresh.slot(b, "accumulator")), 0);
}

TEST_CASE("gradients can be changed between compute and apply") {
    constexpr auto loss = xg::sum(a * a) + 10_c * xg::sum(b);
    constexpr auto grads = xg::compute_gradients(loss, a, b);
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1}, loss,
        xg::with_variable(xg::maximum(xg::minimum(std::get<0>(grads), 1_c), -1_c), a), xg::with_variable(std::get<1>(grads) * 0.5_c, b));
    train.assign(a, list{3, .25});
    check(xg::array(list{train()}.data(), 1), {9.0625});
    check(train.value(a), {2, -.25});
    check(train.value(b), {-5, -5});
    CHECK(train.global_step() == 1);
    // none leaves the variable as it is, slots and all
    constexpr auto part = xg::compute_gradients(xg::sum(a), a, b);
    auto one =
        xg::apply_gradients(xg::adam{}, xg::sum(a * b), xg::with_variable(std::get<0>(part), a), xg::with_variable(std::get<1>(part), b));
    one.assign(b, list{5, 6});
    one();
    check(one.value(b), {5, 6});
    CHECK(one.value(a)[0] < 0);
}

TEST_CASE("indexed slices go through apply_gradients") {
    constexpr auto table = xg::variable<"table", double, 3, 1>;
    constexpr auto loss = xg::sum(xg::gather(table, ids) * g);
    constexpr auto slices = xg::gradient_of(loss, table);
    auto train = xg::apply_gradients(xg::adagrad{.learning_rate = 3}, loss, xg::with_variable(slices, table));
    std::vector<std::int32_t> const rows{1, 1};
    list const gradient{.1, .1};
    train.assign(table, xg::array(list{1, 2, 5}.data(), 3, 1));
    train(ids = rows, g = xg::array(gradient.data(), 2, 1));
    check(train.value(table), {1, 0.3964325485254536, 5});
    check(train.slot(table, "accumulator"), {.1, .14, .1});
    // explicit slices: other values at the same rows
    constexpr auto doubled = xg::indexed_slices{slices.values * 2_c, slices.indices, slices.dense};
    auto twice = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1}, loss, xg::with_variable(doubled, table));
    twice(ids = rows, g = xg::array(gradient.data(), 2, 1));
    check(twice.value(table), {0, -.4, 0});
}
