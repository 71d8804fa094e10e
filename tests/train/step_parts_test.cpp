// SPDX-License-Identifier: MIT
// A step in two parts, gradients and updates: the bits of a whole step, wherever a gradient is stored. Between the parts gradients may be
// written.
#include <support/trainer_state.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
constexpr auto x = xg::input<"x", float, batch, 11>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto bags = xg::input<"bags", std::int64_t, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 30, 11>;
constexpr auto second = xg::variable<"second", float, 30, 3>;   // by the same ids
constexpr auto wide = xg::variable<"wide", float, 25, 5>;
constexpr auto w1 = xg::variable<"w1", float, 14, 11>;
constexpr auto b1 = xg::variable<"b1", float, 11>;
constexpr auto w2 = xg::variable<"w2", float, 11, 5>;
constexpr auto seen = xg::non_trainable<"seen", float, 11>;
// the slices of table and second are adjacent in one gradient, those of wide are one for four ids
constexpr auto rows = xg::concat<1>(xg::gather(table, ids) * x, xg::gather(second, ids));
constexpr auto hidden = xg::tanh(xg::matmul(rows, w1) + b1);
constexpr auto logits = xg::matmul(hidden, w2) + xg::embedding_bag(wide, bags);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

struct data {
    std::vector<float> in;
    std::vector<std::int32_t> rows, labels;
    std::vector<std::int64_t> bag;
    int n;
    explicit data(int k, int count) : n(count) {
        for (int i = 0; i < n * 11; ++i) in.push_back(static_cast<float>((i * 13 + k) % 19) / 19 - .4f);
        for (int i = 0; i < n; ++i) {
            rows.push_back((i * 5 + k) % 12);
            labels.push_back((i + k) % 5);
            for (int j = 0; j < 4; ++j) bag.push_back((i * j + k) % 25);
        }
    }
    template<class F>
    auto call(F&& f) const {
        return f(x = xg::array(in.data(), n, 11), ids = rows, bags = xg::array(bag.data(), n, 4), y = labels);
    }
};
using test::state;
bool same(std::vector<float> const& a, std::vector<float> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
template<bool Fuse, class... Rules>
void compare(Rules const&... rules) {
    auto whole = xg::minimize<xg::gating::graph, Fuse>(loss, rules...), parts = xg::minimize<xg::gating::graph, Fuse>(loss, rules...);
    auto early = xg::minimize<xg::gating::none, Fuse>(loss, rules...);
    for (int k = 0; k < 6; ++k) {
        if (k == 0) {
            whole.initialize(xg::glorot_uniform{.seed = 7});
            parts.initialize(xg::glorot_uniform{.seed = 7});
            early.initialize(xg::glorot_uniform{.seed = 7});
        }
        data const d(k, 9 + k % 3);
        float const expected = d.call(whole);
        CHECK(d.call(early) == expected);
        auto const before = state(parts);
        CHECK(d.call([&](auto const&... a) { return parts.compute_gradients(a...); }) == expected);
        CHECK(same(state(parts), before));
        CHECK(parts.global_step() == k);
        if (k == 3) d.call([&](auto const&... a) { return parts.compute_gradients(a...); });   // once more, for the same step
        parts.apply_gradients();
        CHECK(parts.result() == expected);
        CHECK(parts.global_step() == k + 1);
        REQUIRE(same(state(parts), state(whole)));
        REQUIRE(same(state(parts), state(early)));
        CHECK(std::ranges::equal(parts.optimizer().powers, whole.optimizer().powers));
        if (k == 4) {   // a whole step between steps in parts
            CHECK(d.call(whole) == d.call(parts));
            d.call(early);
            REQUIRE(same(state(parts), state(whole)));
            whole.reset_optimizer();
            parts.reset_optimizer();
            early.reset_optimizer();
            for (int n = 0; n < 5; ++n) {
                d.call(whole);
                d.call(early);
                d.call([&](auto const&... a) { return parts.compute_gradients(a...); });
                parts.apply_gradients();
            }
            REQUIRE(same(state(parts), state(whole)));
        }
    }
}

}   // namespace

TEST_CASE("two parts give the bits of a whole step: adam, whose sparse form moves every row") {
    compare<true>(xg::adam{.learning_rate = .01});
}
TEST_CASE("two parts give the bits of a whole step: several rules, state beside them") {
    compare<true>(xg::param_group(xg::lazy_adam{.learning_rate = .01}, table),
        xg::param_group(xg::ftrl{.learning_rate = .05, .l1 = .01}, wide, b1), xg::param_group(xg::momentum{.use_nesterov = true}),
        xg::assign(seen, .5_c * seen + xg::sum<0>(x)));
}
TEST_CASE("two parts give the bits of a whole step: one node at a time") { compare<false>(xg::gradient_descent{.learning_rate = .1}); }

TEST_CASE("gradients that lie in inputs, variables, one buffer, or are numbers, have memory of their own") {
    constexpr auto a = xg::variable<"a", float, 3>;
    constexpr auto b = xg::variable<"b", float, 3>;
    constexpr auto c = xg::variable<"c", float, 3>;
    constexpr auto d = xg::variable<"d", float, 3>;
    constexpr auto e = xg::variable<"e", float>;
    constexpr auto fixed = xg::non_trainable<"fixed", float, 3>;
    constexpr auto in = xg::input<"in", float, 3>;
    // of a: the input; of b and c: one row; of d: a variable; of e: a number
    constexpr auto l = xg::sum(a * in) + xg::sum(xg::square(b + c)) + xg::sum(d * fixed) + 3_c * e;
    auto train = xg::minimize<xg::gating::graph>(l, xg::gradient_descent{.learning_rate = 1});
    train.assign(b, std::vector<float>{1, 2, 3});
    train.assign(fixed, std::vector<float>{5, 6, 7});
    std::vector<float> given{10, 20, 30};
    train.compute_gradients(in = given);
    std::vector<float> const all_of_a(train.gradient(a).begin(), train.gradient(a).end());
    CHECK(all_of_a == given);
    CHECK(train.gradient(b)[1] == 4);
    CHECK(train.gradient(c)[1] == 4);
    CHECK(train.gradient(d)[2] == 7);
    CHECK(train.gradient(e)[0] == 3);
    for (auto view : {train.gradient(a), train.gradient(b), train.gradient(d)})
        for (float& g : view) g = 1;
    given.assign(3, 100.0f);   // the array is no longer needed
    train.apply_gradients();
    CHECK(train.value(a)[2] == -1);
    CHECK(train.value(b)[2] == 2);
    CHECK(train.value(c)[2] == -6);
    CHECK(train.value(d)[2] == -1);
    CHECK(train.value(e)[0] == -3);
    CHECK(train.value(fixed)[2] == 7);
    CHECK(given == std::vector<float>(3, 100.0f));
}

TEST_CASE("a gradient is no input of the next first part: its memory is written") {
    constexpr auto a = xg::variable<"a", float, 3>;
    constexpr auto b = xg::variable<"b", float, 3>;
    constexpr auto of_a = xg::input<"of_a", float, 3>;
    constexpr auto of_b = xg::input<"of_b", float, 3>;
    auto train = xg::minimize<xg::gating::graph>(xg::sum(a * of_a) + xg::sum(b * of_b), xg::gradient_descent{.learning_rate = 1});
    std::vector<float> const left{1, 2, 3}, right{10, 20, 30};
    train.compute_gradients(of_a = left, of_b = right);
    CHECK_THROWS_WITH_AS(train.compute_gradients(of_a = left, of_b = train.gradient(a)), doctest::Contains("\"of_b\""), xg::binding_error);
    CHECK_THROWS_AS(train.gradient(a), xg::binding_error);
    train.compute_gradients(of_a = left, of_b = right);
    train(of_a = train.gradient(b), of_b = train.gradient(a));   // a whole step writes elsewhere
    CHECK(train.value(a)[2] == -30);
    CHECK(train.value(b)[2] == -3);
}

TEST_CASE("copies of new values, of which nothing is computed, are made in the second part") {
    constexpr auto a = xg::variable<"a", float, 2, 3>;
    constexpr auto old = xg::non_trainable<"old", float, 2, 3>;
    constexpr auto target = xg::non_trainable<"target", float, 2, 3>;
    constexpr auto older = xg::non_trainable<"older", float, 2, 3>;
    constexpr auto into = xg::variable<"into", float, 9, 3>;
    constexpr auto in = xg::input<"in", float, 2, 3>;
    constexpr auto at = xg::input<"at", std::int32_t, 2>;
    constexpr auto slices =
        xg::indexed_slices<std::remove_const_t<decltype(xg::updated(a))>, std::remove_const_t<decltype(at)>, xg::none>{};
    auto copies = xg::minimize<xg::gating::graph>(xg::sum(a * in), xg::gradient_descent{.learning_rate = 1}, xg::assign(old, a),
        xg::assign(target, xg::updated(a)), xg::assign(older, xg::updated(old)));
    auto pairs = xg::apply_gradients<xg::gating::graph>(
        xg::gradient_descent{.learning_rate = 1}, xg::sum(a * in), xg::with_variable(slices, into), xg::with_variable(in, a));
    std::vector<float> const g(6, 1.0f), start(6, 5.0f);
    std::vector<std::int32_t> const rows_of{7, 7};
    for (int k = 0; k < 2; ++k) {
        copies.assign(a, xg::array(start.data(), 2, 3));
        pairs.assign(a, xg::array(start.data(), 2, 3));
        copies.compute_gradients(in = xg::array(g.data(), 2, 3));
        CHECK(copies.gradient(a)[0] == 1);
        copies.apply_gradients();
        CHECK(copies.value(a)[0] == 4);
        CHECK(copies.value(old)[0] == 5);
        CHECK(copies.value(target)[0] == 4);
        CHECK(copies.value(older)[0] == 5);
        pairs.compute_gradients(in = xg::array(g.data(), 2, 3), at = rows_of);
        CHECK(pairs.gradient(a)[0] == 1);
        pairs.apply_gradients();
        CHECK(pairs.value(into)(7, 0) == -8 * (k + 1));
    }
}

TEST_CASE("slices: values and indices of each table, written apart") {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 1});
    train.initialize(xg::glorot_uniform{.seed = 2});
    data const d(1, 4);
    xg::function dense{
        xg::outputs(xg::gradient_of(loss, table).dense, xg::gradient_of(loss, second).dense, xg::gradient_of(loss, wide).dense), train};
    auto const [of_table, of_second, of_wide] = d.call(dense);
    d.call([&](auto const&... a) { return train.compute_gradients(a...); });
    auto const sums = [](auto const& slices, auto const& expected) {
        std::vector<float> sum(static_cast<std::size_t>(expected.size()));
        std::int64_t const row = expected.shape(1);
        CHECK(slices.values.shape(1) == row);
        CHECK(slices.values.shape(0) == slices.indices.shape(0));
        for (std::int64_t k = 0; k < slices.indices.size(); ++k)
            for (std::int64_t i = 0; i < row; ++i) sum[static_cast<std::size_t>(slices.indices[k] * row + i)] += slices.values(k, i);
        for (std::size_t i = 0; i < sum.size(); ++i)
            CHECK(sum[i] == doctest::Approx(expected[static_cast<std::int64_t>(i)]).scale(1).epsilon(1e-5));
    };
    sums(train.gradient(table), of_table);
    sums(train.gradient(second), of_second);
    sums(train.gradient(wide), of_wide);
    static_assert(std::is_same_v<decltype(train.gradient(wide).indices), xg::tensor_view<std::int64_t, 1>>);
    std::vector<float> const before(train.value(table).begin(), train.value(table).end()),
        other(train.value(second).begin(), train.value(second).end());
    auto [values, indices] = train.gradient(table);
    for (float& v : values) v = .5f;
    for (auto& i : indices) i = 29;
    train.apply_gradients();
    auto const now = train.value(table);
    for (std::int64_t i = 0; i < now.size(); ++i) CHECK(now[i] == before[static_cast<std::size_t>(i)] - (i >= 29 * 11 ? 2 : 0));
    CHECK(train.value(second)(29, 0) == other[29 * 3]);
}

TEST_CASE("replicas: the mean of the gradients of two halves trains as the whole batch") {
    auto const make = [] { return xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .01}); };
    auto whole = make(), left = make(), right = make();
    for (auto* t : {&whole, &left, &right}) t->initialize(xg::glorot_uniform{.seed = 4});
    for (int k = 0; k < 4; ++k) {
        data const d(k, 8);
        data first = d, last = d;
        for (data* half : {&first, &last}) half->n = 4;
        last.in.erase(last.in.begin(), last.in.begin() + 44);
        last.rows.erase(last.rows.begin(), last.rows.begin() + 4);
        last.labels.erase(last.labels.begin(), last.labels.begin() + 4);
        last.bag.erase(last.bag.begin(), last.bag.begin() + 16);
        first.rows.resize(4);
        first.labels.resize(4);
        d.call(whole);
        first.call([&](auto const&... a) { return left.compute_gradients(a...); });
        last.call([&](auto const&... a) { return right.compute_gradients(a...); });
        auto const mean = [&](auto v) {
            auto to = left.gradient(v), from = right.gradient(v);
            for (std::int64_t i = 0; i < to.size(); ++i) to[i] = from[i] = (to[i] + from[i]) / 2;
        };
        mean(w1);
        mean(b1);
        mean(w2);
        left.apply_gradients();
        for (auto v : {w1}) CHECK(left.value(v).size() == whole.value(v).size());
        auto const near = [&](auto v) {
            for (std::int64_t i = 0; i < whole.value(v).size(); ++i)
                CHECK(left.value(v)[i] == doctest::Approx(whole.value(v)[i]).scale(1).epsilon(1e-5));
        };
        near(w1);
        near(b1);
        near(w2);
        for (auto* t : {&left, &right}) {   // what one has learned goes to all
            t->value(w1) = whole.value(w1);
            t->value(b1) = whole.value(b1);
            t->value(w2) = whole.value(w2);
            t->value(table) = whole.value(table);
            t->value(second) = whole.value(second);
            t->value(wide) = whole.value(wide);
        }
    }
}

TEST_CASE("what there must be before updates, and that a failing part changes nothing") {
    constexpr auto rows_of = xg::variable<"rows", float, features, 2>;
    constexpr auto l = xg::sum(xg::square(xg::gather(rows_of, ids) - 1_c));
    auto train = xg::minimize<xg::gating::graph>(l, xg::adam{}, features = 5);
    train.initialize(xg::random_uniform{.seed = 1});
    auto const before = state(train);
    CHECK_THROWS_AS(train.apply_gradients(), xg::binding_error);
    CHECK_THROWS_AS(train.gradient(rows_of), xg::binding_error);
    std::vector<std::int32_t> const good{1, 4}, bad{1, 5};
    CHECK_THROWS_AS(train.compute_gradients(ids = bad), xg::value_error);
    CHECK_THROWS_AS(train.apply_gradients(), xg::binding_error);
    train.compute_gradients(ids = good);
    auto slices = train.gradient(rows_of);
    slices.indices[1] = 5;
    CHECK_THROWS_WITH_AS(train.apply_gradients(), doctest::Contains("variable \"rows\": index 5 at offset 1"), xg::value_error);
    CHECK(same(state(train), before));
    CHECK(train.global_step() == 0);
    slices.indices[1] = 0;   // and may be put right
    train.apply_gradients();
    CHECK(train.global_step() == 1);
    CHECK_THROWS_AS(train.apply_gradients(), xg::binding_error);   // used up
    train.compute_gradients(ids = good);
    CHECK_THROWS_AS(train.compute_gradients(ids = bad), xg::value_error);
    CHECK_THROWS_AS(train.apply_gradients(), xg::binding_error);
    train.compute_gradients(ids = good);
    train(ids = good);
    CHECK_THROWS_AS(train.apply_gradients(), xg::binding_error);
    train.compute_gradients(ids = good);
    train.grow(features = 9, xg::random_uniform{.seed = 1});
    CHECK_THROWS_WITH_AS(train.apply_gradients(), doctest::Contains("grown"), xg::binding_error);
    train.compute_gradients(ids = good);
    train.reserve(batch = 100);
    CHECK_THROWS_AS(train.apply_gradients(), xg::binding_error);
    CHECK(train.global_step() == 2);
    // a moved trainer continues
    train.compute_gradients(ids = good);
    auto moved = std::move(train);
    moved.apply_gradients();
    CHECK(moved.global_step() == 3);
    // an empty batch is a step
    moved.compute_gradients(ids = std::vector<std::int32_t>{});
    CHECK(moved.gradient(rows_of).values.size() == 0);
    moved.apply_gradients();
    CHECK(moved.global_step() == 4);
}

TEST_CASE("each first part draws its own random numbers, and those of whole steps") {
    constexpr auto w = xg::variable<"w", float, 3>;
    constexpr auto noisy = xg::sum(w * xg::uniform_like<"noise">(w));
    auto const mask = [&](auto& train) {
        train.compute_gradients();
        return static_cast<float>(train.gradient(w)[0]);
    };
    auto parts = xg::minimize<xg::gating::graph>(noisy, xg::gradient_descent{.learning_rate = 1});
    auto whole = xg::minimize<xg::gating::graph>(noisy, xg::gradient_descent{.learning_rate = 1});
    float const first = mask(parts), second = mask(parts);   // as for two parts of a batch
    CHECK(first != second);
    parts.apply_gradients();
    for (float const drawn : {first, second}) {
        float const before = whole.value(w)[0];
        whole();
        CHECK(whole.value(w)[0] == before - drawn);
    }
    // two trainers of one store, their parts interleaved
    auto other = xg::minimize<xg::gating::graph>(noisy, xg::gradient_descent{}, parts);
    float const here = mask(parts), there = mask(other);
    CHECK(here != there);
    parts.apply_gradients();
    other.apply_gradients();
    parts.reset_optimizer();
    CHECK(mask(other) != first);
    CHECK(mask(parts) != second);
    whole.reset_optimizer();   // alone: from the start
    CHECK(mask(whole) == first);
}
