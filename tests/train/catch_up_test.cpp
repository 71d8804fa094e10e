// SPDX-License-Identifier: MIT
// catch_up: the values of dense steps, which a loop here makes, also of rows that are given to other keys; checkpoints between steps, what is thrown.
#include <io/temporary_folder.hpp>
#include <support/allocations.hpp>
#include <support/message_of.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/train/catch_up.hpp>
#include <xgrad/train/growing_table.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim words{"words"};
inline constexpr int table_rows = 23, row_length = 3, ids_of_step = 5;
// l2_regularization, momentum and decoupled_decay on every element of the table, in long double; the loss is Σ (θ[id] − target)² over the ids.
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
    CHECK(std::abs(train.value(rows)(20, 0) - static_cast<double>(expected.theta[60])) > 1e-3);   // it is behind
    std::vector<T> const before(train.value(rows).data(), train.value(rows).data() + table_rows * row_length);
    ids = {0, 20, table_rows, 1, 2};
    T const aim = 0;
    CHECK_THROWS_AS(step(picked = ids, target = aim), xg::value_error);
    CHECK(std::equal(before.begin(), before.end(), train.value(rows).data()));
    train.grow(words = table_rows + 2, xg::random_uniform{.seed = 4});   // while rows are behind
    for (int i = table_rows * row_length; i < (table_rows + 2) * row_length; ++i) {
        expected.theta.push_back(static_cast<long double>(train.value(rows).data()[i]));
        expected.a.push_back(0);
    }
    run(step, 200, 250);
    step.finish();
    differs(250);
    run(step, 250, 420);
    step.finish();
    differs(420);
    step.finish();   // nothing is left to do
    differs(420);

    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    xg::save(train, path);
    train(picked = ids, target = aim);
    CHECK(
        test::message_of<xg::binding_error>([&] { step(picked = ids, target = aim); }).find("moved past this object") != std::string::npos);
    CHECK_THROWS_AS(step.finish(), xg::binding_error);
    xg::restore(train, path);
    xg::catch_up again{train};
    run(again, 420, 520);
    again.finish();
    differs(520);
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
            train.rule().get<xg::momentum>().learning_rate = expected.rate = 0.01 * (1 + k % 3);   // all rows, behind those that are made
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
    step.finish();
    for (std::size_t i = 0; i < expected.theta.size(); ++i) {
        CHECK(train.value(rows).data()[i] == doctest::Approx(static_cast<double>(expected.theta[i])).epsilon(1e-11));
        CHECK(train.slot(rows, "momentum").data()[i] == doctest::Approx(static_cast<double>(expected.a[i])).epsilon(1e-11));
    }
}
TEST_CASE("catch_up: saved and restored while rows are behind, steps go on with the same bits") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto train = make();
    train.initialize(xg::random_normal{.seed = 1});
    xg::catch_up step{train};
    run(step, 0, 200);
    train.grow(words = table_rows + 2, xg::random_normal{.seed = 2});   // rows that no step has counted
    auto const behind = all_of(train.value(rows));
    xg::save(train, path, {{"note", "hello"}}, step.counts);
    CHECK(all_of(train.value(rows)) == behind);
    auto const numbers = step.counts.numbers();

    auto again = make(table_rows + 2);
    xg::catch_up further{again};
    CHECK(xg::restore(again, path, further.counts).at("note") == "hello");
    CHECK(further.counts.numbers() == numbers);
    CHECK(all_of(again.value(rows)) == behind);
    for (int const last : {230, 290}) {
        int const first = static_cast<int>(train.global_step());
        if (first > 200) train.rule().get<xg::momentum>().learning_rate = again.rule().get<xg::momentum>().learning_rate = 0.02;
        run(step, first, last);
        run(further, first, last);
        CHECK(further.counts.numbers() == step.counts.numbers());
        CHECK(all_of(again.value(rows)) == all_of(train.value(rows)));
        CHECK(all_of(again.slot(rows, "momentum")) == all_of(train.slot(rows, "momentum")));
    }
    step.finish();
    further.finish();
    CHECK(all_of(again.value(rows)) == all_of(train.value(rows)));
    // a row is as restored counts say, where it is made anew
    xg::growing_table known{"known", again, rows, xg::random_normal{.seed = 5}};
    known.lookup_or_insert(std::vector<std::int64_t>{9});
    CHECK(again.optimizer().all().at[0].taken->size() == table_rows + 2);

    // what does not fit is refused, and nothing changes
    auto const kept = further.counts.numbers();
    auto refused = [&](auto const& change) {
        auto other = numbers;
        change(other);
        CHECK(!further.counts.assign(other));
        CHECK(further.counts.numbers() == kept);
    };
    refused([](auto& n) { n.clear(); });
    refused([](auto& n) { n.pop_back(); });
    refused([](auto& n) { n.push_back(0); });
    refused([](auto& n) { n[0] = -1; });
    refused([](auto& n) { ++n[1]; });                 // another table
    refused([](auto& n) { --n[2], n.pop_back(); });   // of another length
    refused([](auto& n) { n[3] = 3; });               // of another rule
    refused([](auto& n) { n.back() = n[0] + 1; });
    refused([](auto& n) { n.back() = -1; });
    auto small = make();
    xg::catch_up of_small{small};
    auto const message = test::message_of<xg::checkpoint_error>([&] { xg::restore(small, path, of_small.counts); });
    CHECK(message.find("\"catch_up/counts\" in the file does not count the steps of the rows of these tables") != std::string::npos);
    CHECK_THROWS_AS(xg::restore(again, path), xg::checkpoint_error);
    run(further, 290, 291);
    run(of_small, 0, 1);
}
TEST_CASE("catch_up: whatever else moves the trainer is noticed") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string(), finished = (folder.path / "finished.safetensors").string();
    auto train = make();
    train.initialize(xg::random_normal{.seed = 1});
    xg::catch_up step{train};
    run(step, 0, 30);
    xg::save(train, path, {}, step.counts);
    auto const is_refused = [&] {
        return test::message_of<xg::binding_error>([&] { step.finish(); }).find("restore(train, path, step.counts)") != std::string::npos;
    };
    xg::restore(train, path, xg::variables_only);   // the number of steps stays
    CHECK(is_refused());
    xg::restore(train, path, step.counts);
    step.finish();
    auto const up_to_date = all_of(train.value(rows));
    xg::save(train, finished);
    xg::restore(train, finished);
    CHECK(is_refused());
    xg::restore(train, path, step.counts);
    {
        xg::catch_up other{train};
        CHECK(is_refused());
    }
    xg::catch_up other{train, "other"};
    CHECK(other.counts.name() == "other");
    xg::restore(train, finished);
    CHECK_THROWS_AS(other.finish(), xg::binding_error);
    xg::catch_up last{train};
    last.finish();
    CHECK(all_of(train.value(rows)) == up_to_date);
    train.reset_optimizer();
    CHECK_THROWS_AS(last.finish(), xg::binding_error);
}
