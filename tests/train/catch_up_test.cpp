// SPDX-License-Identifier: MIT
// catch_up: the values of dense steps, which a loop here makes. Also of rows that are given to other keys, and with any reads or moves of
// the table in between.
#include <io/temporary_folder.hpp>
#include <support/allocations.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/train/catch_up.hpp>
#include <xgrad/train/growing_table.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim words{"words"};
inline constexpr int table_rows = 23, row_length = 3, ids_of_step = 5;
// l2_regularization, momentum and decoupled_decay on every element of the table, in long double. The loss is Σ (θ[id] − target)² over the
// ids.
struct dense_steps {
    bool nesterov;
    double rate = 0.05, mu = 0.875, l2 = 0.015625, decay = 0.00390625;
    std::vector<long double> theta = std::vector<long double>(table_rows * row_length), a = theta;
    void step(std::vector<std::int32_t> const& rows, double target) {
        std::vector<long double> g(theta.size());
        for (std::int32_t const r : rows)
            for (int e = 0; e < row_length; ++e) g[r * row_length + e] += 2 * (theta[r * row_length + e] - target);
        for (std::size_t i = 0; i < theta.size(); ++i) {
            g[i] += l2 * theta[i];
            a[i] = mu * a[i] + g[i];
            theta[i] -= nesterov ? rate * (g[i] + mu * a[i]) : rate * a[i];
            theta[i] -= decay * theta[i];
        }
    }
};
// Rows from 5 on come rarely, rows from 15 on in the first steps alone; duplicates in every step.
std::vector<std::int32_t> ids_at(int k) {
    std::vector<std::int32_t> all{k % 5, (3 * k + 1) % 5, k % 5, 0, 0};
    all[3] = k % 41 == 0 ? 5 + k / 41 % 10 : 4;
    all[4] = k < 16 ? 15 + k / 2 : 2;
    return all;
}
template<class T>
void check_catch_up(bool nesterov, double within) {
    constexpr auto rows = xg::variable<"rows", T, words, row_length>;
    constexpr auto picked = xg::input<"picked", std::int32_t, ids_of_step>;
    constexpr auto target = xg::input<"target", T>;
    auto train = xg::minimize(xg::sum(xg::square(xg::gather(rows, picked) - target)),
        xg::chain(xg::l2_regularization{0.015625}, xg::momentum{0.05, 0.875, nesterov}, xg::decoupled_decay{0.00390625}),
        words = table_rows);
    dense_steps expected{nesterov};
    for (int i = 0; i < table_rows * row_length; ++i) {
        train.value(rows).data()[i] = static_cast<T>((7 * i % 32 - 16) / 8.0);
        expected.theta[i] = (7 * i % 32 - 16) / 8.0;
    }
    auto const differs = [&](int k) {
        INFO(k);
        for (std::size_t i = 0; i < expected.theta.size(); ++i) {
            CHECK(std::abs(train.value(rows).data()[i] - static_cast<double>(expected.theta[i])) < within);
            CHECK(std::abs(train.slot(rows, "momentum").data()[i] - static_cast<double>(expected.a[i])) < within);
        }
    };
    std::vector<std::int32_t> ids(ids_of_step);
    auto const run = [&](auto& step, int first, int last) {
        for (int k = first; k < last; ++k) {
            ids = ids_at(k);
            T const aim = static_cast<T>(k % 7 - 3) / 4;
            if (k == 300) train.rule().template get<xg::momentum>().learning_rate = expected.rate = 0.02;
#if XGRAD_INTERCEPT
            test::allocations = 0;
            test::counting = k > first;
#endif
            step(picked = ids, target = aim);
#if XGRAD_INTERCEPT
            test::counting = false;
            CHECK(test::allocations == 0);
#endif
            expected.step(ids, static_cast<double>(aim));
        }
    };
    xg::catch_up step{train};
    run(step, 0, 200);
    auto const behind = [&] { return static_cast<T const*>(train.store().declared(0).data)[60]; };   // row 20, as it is stored
    CHECK(std::abs(behind() - static_cast<double>(expected.theta[60])) > 1e-3);
    ids = {0, 20, table_rows, 1, 2};
    T const aim = 0;
    T const before = behind();
    CHECK_THROWS_AS(step(picked = ids, target = aim), xg::value_error);
    CHECK(behind() == before);
    train.grow(words = table_rows + 2, xg::random_uniform{.seed = 4});   // while rows lag behind
    for (int i = table_rows * row_length; i < (table_rows + 2) * row_length; ++i) {
        expected.theta.push_back(static_cast<long double>(train.value(rows).data()[i]));
        expected.a.push_back(0);
    }
    run(step, 200, 250);
    differs(250);
    run(step, 250, 420);
    differs(420);
    differs(420);   // nothing is left to do
}

}   // namespace

TEST_CASE("catch_up: what dense steps make of a table, up to rounding") {
    for (bool const nesterov : {false, true}) {
        check_catch_up<double>(nesterov, 1e-12);
        check_catch_up<float>(nesterov, 2e-5);
    }
}

namespace {

constexpr auto rows = xg::variable<"rows", double, words, row_length>;
constexpr auto picked = xg::input<"picked", std::int32_t, ids_of_step>;
constexpr auto target = xg::input<"target", double>;
auto make(std::int64_t count = table_rows) {
    return xg::minimize(xg::sum(xg::square(xg::gather(rows, picked) - target)),
        xg::chain(xg::l2_regularization{0.015625}, xg::momentum{0.05, 0.875, false}, xg::decoupled_decay{0.00390625}), words = count);
}
using trainer = decltype(make());
template<class V>
std::vector<double> all_of(V const& v) {
    return {v.begin(), v.end()};
}
void run(xg::catch_up<trainer::program_type>& step, int first, int last) {
    for (int k = first; k < last; ++k) {
        std::vector<std::int32_t> const ids = ids_at(k);
        step(picked = ids, target = k % 7 / 4.0);
    }
}

}   // namespace

TEST_CASE("catch_up: a row that is given to another key has missed nothing") {
    auto train = make();
    xg::catch_up step{train};
    xg::growing_table known{"known", train, rows, xg::random_normal{.seed = 5, .stddev = 1}};
    dense_steps expected{false};
    std::int64_t given_back = 0;
    for (int k = 0; k < 300; ++k) {
        if (k == 120) {
            train.grow(words = table_rows + 9, xg::zeros_initializer{});
            expected.theta.resize((table_rows + 9) * row_length);
            expected.a.resize(expected.theta.size());
        }
        if (k % 50 == 30)
            train.rule().get<xg::momentum>().learning_rate = expected.rate = 0.01 * (1 + k % 3);   // all rows, after the steps already made
        if (k % 10 == 9) given_back += known.expire(12);
        std::vector<std::int64_t> keys{k % 4, k / 9, -k / 2, k / 9, 1};
        std::vector<std::int32_t> const before = known.lookup(keys), ids = known.lookup_or_insert(keys);
        for (std::size_t i = 0; i < keys.size(); ++i)
            for (int e = 0; before[i] == 0 && e < row_length; ++e) {
                expected.theta[static_cast<std::size_t>(ids[i] * row_length + e)] = train.value(rows)(ids[i], e);
                expected.a[static_cast<std::size_t>(ids[i] * row_length + e)] = 0;
            }
        step(picked = ids, target = 0.5);
        expected.step(ids, 0.5);
    }
    CHECK(given_back > 100);
    for (std::size_t i = 0; i < expected.theta.size(); ++i) {
        CHECK(train.value(rows).data()[i] == doctest::Approx(static_cast<double>(expected.theta[i])).epsilon(1e-11));
        CHECK(train.slot(rows, "momentum").data()[i] == doctest::Approx(static_cast<double>(expected.a[i])).epsilon(1e-11));
    }
}
TEST_CASE("catch_up: whoever asks for variables has rows that are up to date, and steps go on") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto train = make(), same = make(), other = make();
    for (auto* t : {&train, &same}) t->initialize(xg::random_normal{.seed = 1});
    xg::catch_up step{train};
    auto expected =
        std::make_unique<xg::catch_up<trainer::program_type>>(same);   // made anew each time: its end brings the rows up to date
    int k = 0;
    auto const go = [&](int steps) {
        run(step, k, k + steps);
        run(*expected, k, k + steps);
        k += steps;
    };
    auto const up_to_date = [&] {
        expected.reset();
        std::vector<double> const all(same.value(rows).begin(), same.value(rows).end());
        expected = std::make_unique<xg::catch_up<trainer::program_type>>(same);
        return all;
    };
    go(60);
    CHECK(all_of(train.value(rows)) == up_to_date());
    go(30);
    xg::save(train, path);
    up_to_date();
    xg::restore(other, path);
    CHECK(all_of(other.value(rows)) == all_of(same.value(rows)));
    CHECK(all_of(other.slot(rows, "momentum")) == all_of(same.slot(rows, "momentum")));
    go(30);
    xg::function in_train{xg::gather(rows, picked), train}, in_same{xg::gather(rows, picked), same};
    std::vector<std::int32_t> const some{20, 17, 9, 3, 0};
    auto const seen = all_of(in_train(picked = some));
    up_to_date();
    CHECK(seen == all_of(in_same(picked = some)));
    go(30);
    up_to_date();
    for (auto* t : {&train, &same}) (*t)(picked = some, target = 0.5);   // a step of the trainer's own
    go(30);
    up_to_date();
    for (auto* t : {&train, &same}) xg::restore(*t, path);
    k = 90;
    go(40);
    up_to_date();
    for (auto* t : {&train, &same}) t->reset_optimizer();
    go(40);
    {
        xg::catch_up second{train};   // of two the one that steps has the rows
        run(second, k, k + 5);
        run(step, k + 5, k + 9);
        run(second, k + 9, k + 10);
    }
    up_to_date();
    run(*expected, k, k + 5), up_to_date();
    run(*expected, k + 5, k + 9), up_to_date();
    run(*expected, k + 9, k + 10), up_to_date();
    k += 10;
    go(20);
    CHECK(all_of(train.value(rows)) == up_to_date());
    CHECK(all_of(train.slot(rows, "momentum")) == all_of(same.slot(rows, "momentum")));
}
