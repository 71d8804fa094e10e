// SPDX-License-Identifier: MIT
// Variables with named dimensions: bound where the owner is made, checked by every call, grown between steps.
#include <support/tensor.hpp>

#include <xgrad/plan/describe.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
inline constexpr xg::dim width{"width"};

constexpr auto x = xg::input<"x", float, batch, features>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto y = xg::input<"y", float, batch>;

/// The same model with sizes that a call does not know and with sizes that the compiler knows.
template<auto Features, auto Width>
struct model {
    static constexpr auto in = xg::input<"x", float, batch, Features>;
    static constexpr auto w = xg::variable<"w", float, Features, Width>;
    static constexpr auto b = xg::variable<"b", float, Width>;
    static constexpr auto table = xg::variable<"table", float, Features, Width>;
    static constexpr auto v = xg::variable<"v", float, Width, 1>;
    static constexpr auto hidden = xg::tanh(xg::matmul(in, w) + b) * xg::gather(table, ids);
    static constexpr auto loss = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(hidden, v)), y));
};
using named = model<features, width>;
using fixed = model<11, 5>;

struct data {
    test::tensor<float> in = test::numbers<float>({7, 11});
    test::tensor<std::int32_t> rows = test::list<std::int32_t>({0, 10, 3, 3, 7, 0, 9});
    test::tensor<float> out = test::numbers<float>({7}, -1, 1, 3);
};
template<class M, class T>
float step(T& train, data const& d) {
    return train(M::in = d.in, ids = d.rows, y = d.out);
}
template<class View>
std::vector<float> copy(View const& v) {
    return {v.begin(), v.end()};
}
template<class A, class B>
void near(A const& a, B const& b) {
    REQUIRE(a.size() == b.size());
    for (std::int64_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-4));
}
template<class Rule>
void trains_alike(Rule const& rule) {
    auto a = xg::minimize(named::loss, rule, features = 11, width = 5);
    auto b = xg::minimize(fixed::loss, rule);
    auto c = xg::minimize<xg::gating::graph, false>(named::loss, rule, width = 5, features = 11);
    a.initialize(xg::glorot_uniform{.seed = 2});
    b.initialize(xg::glorot_uniform{.seed = 2});
    c.initialize(xg::glorot_uniform{.seed = 2});
    CHECK(copy(a.value(named::w)) == copy(b.value(fixed::w)));
    data const d;
    for (int k = 0; k < 12; ++k) {
        float const loss = step<fixed>(b, d);
        CHECK(step<named>(a, d) == doctest::Approx(loss).epsilon(1e-4));
        CHECK(step<named>(c, d) == doctest::Approx(loss).epsilon(1e-4));
    }
    near(a.value(named::w), b.value(fixed::w));
    near(a.value(named::b), b.value(fixed::b));
    near(a.value(named::table), b.value(fixed::table));
    near(a.value(named::v), b.value(fixed::v));
    near(c.value(named::table), b.value(fixed::table));
}
}

TEST_CASE("the same training as with sizes that the compiler knows, for every kind of update") {
#if !XGRAD_SANITIZED   // where a product with an update in its tiles costs a minute
    trains_alike(xg::gradient_descent{.learning_rate = 0.1});
    trains_alike(xg::momentum{.learning_rate = 0.05});
    trains_alike(xg::adam{.learning_rate = 0.02});
    trains_alike(xg::adagrad{.learning_rate = 0.1});
#endif
    trains_alike(xg::lazy_adam{.learning_rate = 0.02});
    trains_alike(xg::ftrl{.learning_rate = 0.1, .l1 = 0.001});
}

TEST_CASE("gradients against finite differences; owners without a trainer; extents made of named ones") {
    xg::variables vars{named::loss, features = 4, width = 3};
    vars.initialize(xg::random_uniform{.seed = 5, .range = 1});
    CHECK(vars.value(named::w).shape() == std::array<std::int64_t, 2>{4, 3});
    auto const in = test::numbers<float>({3, 4}), out = test::numbers<float>({3});
    auto const rows = test::list<std::int32_t>({0, 3, 3});
    auto const r = xg::check_gradients(
        named::loss, xg::wrt(named::w, named::b, named::table, named::v, named::in), vars, named::in = in, ids = rows, y = out);
    CHECK_MESSAGE(r.ok, r.message);
    CHECK(r.checked == 12 + 3 + 12 + 3 + 12);

    constexpr auto half = xg::variable<"half", double, (features + 1) / 2>;
    constexpr auto more = xg::variable<"more", double, features + 1>;
    constexpr auto expression = xg::sum(xg::square(half)) + xg::sum(xg::slice<0, 0, features, 2>(xg::slice<0, 0, features>(more)) * half);
    xg::variables odd{expression, xg::sum(more), features = 7};
    CHECK(odd.value(half).size() == 4);
    CHECK(odd.value(more).size() == 8);
    odd.initialize(xg::random_uniform{.seed = 5, .range = 1});
    auto const s = xg::check_gradients(expression, xg::wrt(half, more), odd);
    CHECK_MESSAGE(s.ok, s.message);
}

TEST_CASE("sizes are checked where the owner is made") {
    CHECK_THROWS_AS(xg::minimize(named::loss, xg::adam{}, features = 3, batch = 4), xg::binding_error);
    CHECK_THROWS_WITH(xg::minimize(named::loss, xg::adam{}, features = 3, batch = 4),
        "xgrad: the size of the dimension \"width\" of the variable \"w\" is missing; write width = 300 where the owner is made");
    CHECK_THROWS_AS(xg::minimize(named::loss, xg::adam{}, features = -1, width = 4), xg::value_error);
    constexpr auto rest = xg::variable<"rest", float, features - 4>;
    CHECK_THROWS_AS((xg::variables{xg::sum(rest), features = 3}), xg::shape_error);
    xg::variables empty{xg::sum(rest), features = 4};
    xg::function f{xg::sum(rest), empty};
    CHECK(f() == 0);
}

TEST_CASE("a call with another size names dimension and variable, and changes nothing") {
    auto train = xg::minimize(named::loss, xg::adam{.learning_rate = 0.1}, features = 11, width = 5);
    train.initialize(xg::glorot_uniform{.seed = 2});
    data const d;
    step<named>(train, d);
    auto const before = copy(train.value(named::w));
    auto const wide = test::numbers<float>({7, 12});
    CHECK_THROWS_AS(train(x = wide, ids = d.rows, y = d.out), xg::shape_error);
    CHECK_THROWS_WITH(train(x = wide, ids = d.rows, y = d.out),
        "xgrad: input \"x\": axis 1 must have extent 11 (the dimension \"features\" as the variable \"w\" has it), the array has 12");
    CHECK(train.try_step(x = wide, ids = d.rows, y = d.out).code == xg::status_code::wrong_extent);
    auto rows = d.rows;
    rows[3] = 11;
    CHECK_THROWS_WITH(train(x = d.in, ids = rows, y = d.out), "xgrad: input \"ids\": index 11 at offset 3 is out of range [0, 11)");
    CHECK(copy(train.value(named::w)) == before);
    CHECK(train.global_step() == 1);
    CHECK_THROWS_AS(train.reserve(batch = 4, features = 12), xg::shape_error);
    train.reserve(batch = 70, features = 11);
    CHECK(train.try_step(x = d.in, ids = d.rows, y = d.out));
    // functions take the sizes of the owner; one with other variables is refused
    xg::function f{named::hidden, train};
    CHECK(f(x = d.in, ids = d.rows).shape() == std::array<std::int64_t, 2>{7, 5});
    CHECK_THROWS_AS(f(x = wide, ids = d.rows), xg::shape_error);
    CHECK_THROWS_AS((xg::function{model<11, 4>::hidden, train}), xg::shape_error);
    xg::function known{fixed::hidden, train};   // the sizes agree
    CHECK(known(fixed::in = d.in, ids = d.rows)(6, 4) == doctest::Approx(f(x = d.in, ids = d.rows)(6, 4)));
}

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
    std::string_view const slot = Rule::slots[0];
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
