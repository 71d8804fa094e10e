// SPDX-License-Identifier: MIT
// Rules with reductions and with slots of other shapes and types through the whole stack: expression, gradient, plan, kernel, store,
// checkpoint.
#include <xgrad/xgrad.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/safetensors.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "io/temporary_folder.hpp"

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

using list = std::vector<double>;
inline constexpr xg::dim count{"count"}, users{"users"};

// The gradient of sum(v * g) is g: the rule sees the numbers that are fed.
constexpr auto m = xg::variable<"m", double, 2, 3>;
constexpr auto g = xg::input<"g", double, 2, 3>;
constexpr auto dense_loss = xg::sum(m * g);
// The same with slices: row ids[k] gets values[k].
constexpr auto t = xg::variable<"t", double, 4, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, count>;
constexpr auto values = xg::input<"values", double, count, 2>;
constexpr auto sparse_loss = xg::sum(xg::gather(t, ids) * values);

/// Elements as a matrix of three or two columns, for as long as they live.
auto wide(list const& elements) { return xg::array(elements.data(), elements.size() / 3, 3); }
auto pairs(list const& elements) { return xg::array(elements.data(), elements.size() / 2, 2); }

template<class View>
void check(View view, list const& expected, double tolerance = 1e-12) {
    REQUIRE(view.size() == static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        double const found = static_cast<double>(view[static_cast<std::int64_t>(i)]);
        CHECK_MESSAGE(std::fabs(found - expected[i]) <= tolerance * std::fmax(1.0, std::fabs(expected[i])),
            "element " << i << ": " << found << " against " << expected[i]);
    }
}
template<class View>
list copy(View view) {
    list r;
    for (auto const& x : view) r.push_back(static_cast<double>(x));
    return r;
}

/// Adam with its second moment in bfloat16.
struct short_adam : xg::adam {
    static constexpr std::array slots{xg::slot_info("m"), xg::slot_info("v", xg::dtype::bfloat16),
        xg::slot_info("beta1_power", xg::per::optimizer), xg::slot_info("beta2_power", xg::per::optimizer)};
};
static_assert(xg::UpdateRule<short_adam>);

/// Divides by the largest scale that a column has seen, which it keeps in float16, and counts the steps of a variable.
struct column_scaled {
    static constexpr std::string_view name = "column_scaled";
    static constexpr std::array slots{
        xg::slot_info("scale", xg::dtype::float16, xg::per::column), xg::slot_info("steps", xg::dtype::float32, xg::per::variable)};
    static constexpr std::array reductions{xg::reduction_info(xg::per::column, xg::reduction::mean)};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    double slot_init(int slot) const { return slot == 0 ? 1.5 : 0; }
    template<class T>
    struct scalars {};
    template<class T>
    scalars<T> prepare(std::int64_t, double const*) const {
        return {};
    }
    template<class T, class V>
    static void terms(scalars<T> const&, V, V grad, V const*, V* term) {
        term[0] = xg::math::abs(grad);
    }
    template<class T>
    static void advance_column(scalars<T> const&, T* slot, T const* reduced) {
        slot[0] = xg::math::max(slot[0], reduced[0]);
    }
    template<class T>
    static void advance_variable(scalars<T> const&, T* slot, T const*) {
        slot[1] += T(1);
    }
    template<class T, class V>
    static void update(scalars<T> const&, V& param, V grad, V* slot, V const*) {
        param = param - grad / slot[0];
    }
};
static_assert(xg::UpdateRule<column_scaled>);

}   // namespace

TEST_CASE("LAMB: the step is as long as the norm of the variable says") {
    auto train = xg::minimize(dense_loss, xg::lamb{.learning_rate = 0.5, .epsilon = 0});
    train.assign(m, wide(list{3, 0, 0, 4, 0, 0}));
    train(g = wide(list{1, 1, 1, 2, 2, 2}));   // m̂ / √v̂ is 1 everywhere: the norms are 5 and √6
    double const step = 0.5 * 5 / std::sqrt(6.0);
    check(train.value(m), {3 - step, -step, -step, 4 - step, -step, -step});
    check(train.slot(m, "m"), {.1, .1, .1, .2, .2, .2});
    // a variable of zeros moves as by Adam
    auto zero = xg::minimize(dense_loss, xg::lamb{.learning_rate = 0.5, .epsilon = 0});
    zero(g = wide(list{1, 1, 1, -2, -2, -2}));
    check(zero.value(m), {-.5, -.5, -.5, .5, .5, .5});
    CHECK(xg::check_of(train.rule()).empty());
    CHECK(xg::check_of(xg::lamb{.beta2 = 1}) == "lamb: beta2 must be in [0, 1), found 1");
}
TEST_CASE("LAMB of a sparse gradient is that of a dense one; taken lazily it knows the rows that occur alone") {
    list const start{1, 2, 3, 4, 5, 6, 7, 8};
    auto sparse = xg::minimize(sparse_loss, xg::lamb{.learning_rate = 0.1, .weight_decay = 0.1});
    constexpr auto whole = xg::input<"whole", double, 4, 2>;
    auto dense = xg::minimize(xg::sum(t * whole), xg::lamb{.learning_rate = 0.1, .weight_decay = 0.1});
    auto lazily = xg::minimize(sparse_loss, xg::lazy{xg::lamb{.learning_rate = 0.5, .epsilon = 0}});
    sparse.assign(t, pairs(start));
    dense.assign(t, pairs(start));
    lazily.assign(t, pairs(start));
    for (int step = 0; step < 3; ++step) {
        sparse(ids = std::vector<std::int32_t>{2, 0, 2}, values = pairs(list{1, 2, 3, 4, 5, 6}));
        dense(whole = pairs(list{3, 4, 0, 0, 6, 8, 0, 0}));
    }
    check(sparse.value(t), copy(dense.value(t)));
    check(sparse.slot(t, "v"), copy(dense.slot(t, "v")));
    lazily(ids = std::vector<std::int32_t>{1, 1}, values = pairs(list{1, 1, 1, 1}));
    double const step = 0.5 * 5 / std::sqrt(2.0);
    check(lazily.value(t), {1, 2, 3 - step, 4 - step, 5, 6, 7, 8});
    lazily(ids = std::vector<std::int32_t>{}, values = pairs(list{}));
    check(lazily.value(t), {1, 2, 3 - step, 4 - step, 5, 6, 7, 8});
}
TEST_CASE("row-wise Adagrad keeps one number for each row") {
    auto train = xg::minimize(sparse_loss, xg::rowwise_adagrad{.learning_rate = 2, .epsilon = 0});
    train.assign(t, pairs(list{1, 2, 3, 4, 5, 6, 7, 8}));
    train(ids = std::vector<std::int32_t>{3, 1, 3}, values = pairs(list{1, 1, 3, 1, 0, 6}));   // rows 3: 1 7, 1: 3 1
    auto const a = train.slot<"accumulator">(t);
    static_assert(std::is_same_v<decltype(a), xg::tensor_view<double, 1> const>);
    check(a, {0, 5, 0, 25});
    check(train.value(t), {1, 2, 3 - 6 / std::sqrt(5.0), 4 - 2 / std::sqrt(5.0), 5, 6, 7 - .4, 8 - 2.8});
    CHECK_THROWS_AS(train.slot(t, "accumulator"), xg::binding_error);
    CHECK_THROWS_AS(train.slot(t, "m"), xg::binding_error);
    CHECK(xg::part_of(*train.optimizer().find(0), 0, train.store().variables().at[0]).bytes() == 4 * sizeof(double));
    CHECK(xg::check_of(xg::rowwise_adagrad{.initial_accumulator = -1}) ==
          "rowwise_adagrad: initial_accumulator must be positive or zero, found -1");
}
TEST_CASE("RMSProp begins with a mean square of one") {
    auto train = xg::minimize(dense_loss, xg::rms_prop{.learning_rate = 1, .decay = .75, .epsilon = 0});
    auto centred = xg::minimize(dense_loss, xg::centered_rms_prop{.learning_rate = 1, .decay = .75, .epsilon = 0});
    list const gradient{1, 2, 3, 0, -1, -2};
    train(g = wide(gradient));
    centred(g = wide(gradient));
    list plain, variance;
    for (double x : gradient) {
        plain.push_back(-x / std::sqrt(.75 + .25 * x * x));
        variance.push_back(-x / std::sqrt(.75 + .25 * x * x - x * x / 16));
    }
    check(train.value(m), plain);
    check(centred.value(m), variance);
    check(centred.slot(m, "mg"), {.25, .5, .75, 0, -.25, -.5});
    CHECK(xg::check_of(xg::rms_prop{.decay = 2}) == "rms_prop: decay must be in [0, 1], found 2");
}

TEST_CASE("a slot in bfloat16 is rounded when it is written") {
    constexpr auto w = xg::variable<"w", float, 37>;
    constexpr auto h = xg::input<"h", float, 37>;
    auto train = xg::minimize(xg::sum(w * h), short_adam{{.learning_rate = 0.1}});
    auto whole = xg::minimize(xg::sum(w * h), xg::adam{.learning_rate = 0.1});
    std::vector<float> gradient;
    for (int i = 0; i < 37; ++i) gradient.push_back(static_cast<float>(i - 18) / 7);
    train.initialize(xg::random_uniform{.seed = 3});
    whole.initialize(xg::random_uniform{.seed = 3});
    for (int step = 0; step < 4; ++step) {
        std::vector<float> expected;
        for (std::size_t i = 0; i < 37; ++i) {
            float const v = train.slot<"v">(w)[static_cast<std::int64_t>(i)];
            expected.push_back(xg::bfloat16(v + (gradient[i] * gradient[i] - v) * static_cast<float>(1.0 - 0.999)));
        }
        train(h = gradient);
        whole(h = gradient);
        auto const v = train.slot<"v">(w);
        static_assert(std::is_same_v<decltype(v), xg::tensor_view<xg::bfloat16, 1> const>);
        for (std::size_t i = 0; i < 37; ++i)
            CHECK(static_cast<float>(v[static_cast<std::int64_t>(i)]) == doctest::Approx(expected[i]).epsilon(0.004));
    }
    check(train.value(w), copy(whole.value(w)), 2e-3);
    check(train.slot(w, "m"), copy(whole.slot(w, "m")), 0);
    CHECK_THROWS_AS(train.slot(w, "v"), xg::binding_error);
    auto message = std::string();
    try {
        train.slot(w, "v");
    } catch (xg::binding_error const& e) { message = e.what(); }
    CHECK(message ==
          "xgrad: the slot \"v\" of the variable \"w\" has another shape or element type than the variable; write train.slot<\"v\">(v)");
}

TEST_CASE("numbers per column and per variable") {
    auto train = xg::minimize(dense_loss, column_scaled{});
    train(g = wide(list{4, 1, 2, -2, 1, 2}));
    check(train.slot<"scale">(m), {3, 1.5, 2});
    check(train.value(m), {-4 / 3., -1 / 1.5, -1, 2 / 3., -1 / 1.5, -1});
    train(g = wide(list{0, 0, 0, 0, 0, 0}));
    auto const steps = train.slot<"steps">(m);
    static_assert(std::is_same_v<decltype(steps), xg::tensor_view<float, 0> const>);
    CHECK(steps() == 2);
    // a vector has one column, a number one row
    constexpr auto v = xg::variable<"v", float, 3>;
    constexpr auto n = xg::variable<"n", float>;
    constexpr auto x = xg::input<"x", float, 3>;
    auto both = xg::minimize(xg::sum(v * x) + n * xg::sum(x), column_scaled{});
    both(x = std::vector<float>{1, 2, 6});
    static_assert(std::is_same_v<decltype(both.slot<"scale">(v)), xg::tensor_view<xg::float16, 0>> &&
                  std::is_same_v<decltype(both.slot<"scale">(n)), xg::tensor_view<xg::float16, 0>>);
    CHECK(static_cast<float>(both.slot<"scale">(v)()) == 3);
    CHECK(static_cast<float>(both.slot<"scale">(n)()) == 9);
    check(both.value(v), {-1 / 3., -2 / 3., -2}, 1e-6);
    CHECK(both.value(n)() == -1);
    auto rows = xg::minimize(xg::sum(v * x) + n * xg::sum(x), xg::rowwise_adagrad{});
    rows(x = std::vector<float>{1, 2, 3});
    check(rows.slot<"accumulator">(v), {1, 4, 9});
    static_assert(std::is_same_v<decltype(rows.slot<"accumulator">(n)), xg::tensor_view<float, 0>>);
    CHECK(rows.slot<"accumulator">(n)() == 36);
}

namespace {
constexpr auto x = xg::input<"x", float, count, 5>;
constexpr auto y = xg::input<"y", float, count, 7>;
constexpr auto w = xg::variable<"w", float, 5, 7>;
constexpr auto net = xg::mean(xg::square(xg::matmul(x, w) - y));
}

TEST_CASE("a rule that needs the whole gradient does not run in the tiles of a product; the gating changes nothing") {
    auto const fused = [](auto const& train) {
        using P = typename std::remove_cvref_t<decltype(train)>::program_type;
        bool any = false;
        for (int i = 0; i < P::plan.step_count; ++i) any = any || P::plan.steps[i].fused;
        return any;
    };
    std::vector<float> in(4 * 5), out(4 * 7);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7) - 3;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(i % 5) - 2;
    auto none = xg::minimize(net, xg::lamb{});
    auto op = xg::minimize<xg::gating::op>(net, xg::lamb{});
    auto graph = xg::minimize<xg::gating::graph>(net, xg::lamb{});
    auto apart = xg::minimize<xg::gating::none, false>(net, xg::lamb{});
    CHECK_FALSE(fused(none));
    CHECK(fused(xg::minimize(net, xg::adam{})));
    CHECK(fused(xg::minimize(net, short_adam{})));
    auto const run = [&](auto& train) {
        train.initialize(xg::glorot_uniform{.seed = 1});
        for (int k = 0; k < 3; ++k) train(x = xg::array(in.data(), 4, 5), y = xg::array(out.data(), 4, 7));
        return copy(train.value(w));
    };
    list const expected = run(none);
    CHECK(run(op) == expected);
    CHECK(run(graph) == expected);
    CHECK(run(apart) == expected);
}
TEST_CASE("a step in two parts does the same with sums") {
    auto whole = xg::minimize<xg::gating::graph>(dense_loss + sparse_loss, column_scaled{});
    auto parts = xg::minimize<xg::gating::graph>(dense_loss + sparse_loss, column_scaled{});
    for (int step = 0; step < 2; ++step) {
        list const gradient{4, 1, 2, -2, 1, 2}, rows{1, 2, 3, 4};
        std::vector<std::int32_t> const at{2, 0};
        whole(g = wide(gradient), ids = at, values = pairs(rows));
        parts.compute_gradients(g = wide(gradient), ids = at, values = pairs(rows));
        parts.apply_gradients();
    }
    CHECK(copy(whole.value(m)) == copy(parts.value(m)));
    CHECK(copy(whole.value(t)) == copy(parts.value(t)));
    CHECK(copy(whole.slot<"scale">(t)) == copy(parts.slot<"scale">(t)));
}
TEST_CASE("a slot of another type in memory runs in the tiles of a product too") {
    std::vector<float> in(4 * 5), out(4 * 7);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7) - 3;
    auto tiles = xg::minimize(net, short_adam{});
    auto apart = xg::minimize<xg::gating::graph>(net, short_adam{});
    for (auto step = 0; step < 3; ++step) {
        tiles(x = xg::array(in.data(), 4, 5), y = xg::array(out.data(), 4, 7));
        apart(x = xg::array(in.data(), 4, 5), y = xg::array(out.data(), 4, 7));
    }
    CHECK(copy(tiles.value(w)) == copy(apart.value(w)));
    CHECK(copy(tiles.slot<"v">(w)) == copy(apart.slot<"v">(w)));
}

TEST_CASE("groups with different state, reset, and apply_gradients") {
    auto train = xg::minimize(dense_loss + sparse_loss, xg::param_group(xg::rowwise_adagrad{.initial_accumulator = .5}, t), xg::lamb{});
    train.assign(m, wide(list{1, 1, 1, 1, 1, 1}));
    for (int step = 0; step < 2; ++step)
        train(g = wide(list{1, 2, 3, 4, 5, 6}), ids = std::vector<std::int32_t>{1}, values = pairs(list{1, 1}));
    CHECK(copy(train.slot<"accumulator">(t)) == list{.5, 2.5, .5, .5});
    CHECK(std::ranges::equal(train.optimizer().power_names, std::vector<std::string>{"beta1_power", "beta2_power"}));
    train.reset_optimizer();
    CHECK(copy(train.slot<"accumulator">(t)) == list{.5, .5, .5, .5});
    CHECK(copy(train.slot<"m">(m)) == list(6, 0));
    CHECK(train.optimizer().powers.at[0] == .9);
    auto const [gradient] = xg::compute_gradients(dense_loss, m);
    auto applied = xg::apply_gradients(column_scaled{}, dense_loss, xg::with_variable(gradient, m));
    applied(g = wide(list{4, 1, 2, -2, 1, 2}));
    check(applied.slot<"scale">(m), {3, 1.5, 2});
}

TEST_CASE("slots of rows and columns grow with their variable") {
    constexpr auto table = xg::variable<"table", float, users, 2>;
    constexpr auto chosen = xg::input<"chosen", std::int32_t, count>;
    constexpr auto loss = xg::sum(xg::square(xg::gather(table, chosen) - 1_c));
    auto rows = xg::minimize(loss, xg::rowwise_adagrad{.initial_accumulator = .25}, users = 3);
    rows.initialize(xg::random_uniform{.seed = 1});
    rows(chosen = std::vector<std::int32_t>{0, 2, 2});
    list const before = copy(rows.slot<"accumulator">(table));
    rows.grow(users = 5, xg::random_uniform{.seed = 1});
    list const after = copy(rows.slot<"accumulator">(table));
    REQUIRE(after.size() == 5);
    CHECK(list(after.begin(), after.begin() + 3) == before);
    CHECK((after[3] == .25 && after[4] == .25));
    rows(chosen = std::vector<std::int32_t>{4});
    CHECK(rows.slot<"accumulator">(table)[4] > .25f);
    auto columns = xg::minimize(loss, column_scaled{}, users = 3);
    columns(chosen = std::vector<std::int32_t>{0, 2, 2});
    list const scale = copy(columns.slot<"scale">(table));
    columns.grow(users = 5, xg::random_uniform{.seed = 1});
    CHECK(copy(columns.slot<"scale">(table)) == scale);
    CHECK(columns.slot<"steps">(table)() == 1);
}

TEST_CASE("checkpoints hold slots in their own shape and type") {
    temporary_folder const folder;
    std::string const path = (folder.path / "x.safetensors").string();
    auto train = xg::minimize(dense_loss + sparse_loss, xg::param_group(xg::rowwise_adagrad{}, t), short_adam{});
    auto other = xg::minimize(dense_loss + sparse_loss, xg::param_group(xg::rowwise_adagrad{}, t), short_adam{});
    auto const step = [](auto& a) {
        a(g = wide(list{1, 2, 3, 4, 5, 6}), ids = std::vector<std::int32_t>{1, 2}, values = pairs(list{1, 1, 2, 2}));
    };
    step(train);
    xg::save(train, path);
    xg::safetensors_file const file(path);
    CHECK((
        file.find("t/RowWiseAdagrad")->shape == std::vector<std::int64_t>{4} && file.find("t/RowWiseAdagrad")->type == xg::dtype::float64));
    REQUIRE(file.find("m/Adam_1")->type == xg::dtype::bfloat16);
    CHECK(file.find("m/Adam_1")->values<xg::bfloat16>()[5].bits == train.slot<"v">(m)[5].bits);
    CHECK(file.find("m/Adam")->type == xg::dtype::float64);
    xg::restore(other, path);
    step(train);
    step(other);
    CHECK(copy(train.value(t)) == copy(other.value(t)));
    CHECK(copy(train.value(m)) == copy(other.value(m)));
    CHECK(copy(train.slot<"v">(m)) == copy(other.slot<"v">(m)));
    // a file with the slot in the variable's type is another one
    auto whole = xg::minimize(dense_loss + sparse_loss, xg::param_group(xg::rowwise_adagrad{}, t), xg::adam{});
    CHECK_THROWS_AS(xg::restore(whole, path), xg::checkpoint_error);
}
