// SPDX-License-Identifier: MIT
// Rows for keys: admission, expiry, bits that depend on the key alone, slots, checkpoints; random calls against a simple model.
#include <support/allocations.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/sparse/vocabulary.hpp>
#include <xgrad/train/growing_table.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include "io/temporary_folder.hpp"

#include <map>
#include <set>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim n{"n"};
inline constexpr xg::dim features{"features"};
constexpr auto table = xg::variable<"table", float, features, 3>;
constexpr auto ids = xg::input<"ids", std::int32_t, n>;
constexpr auto loss = xg::mean(xg::square(xg::gather(table, ids) - 1_c));
using keys = std::vector<std::int64_t>;
using rows = std::vector<std::int32_t>;
xg::random_normal const how{.seed = 3, .stddev = 0.5};

auto make(std::int64_t count) {
    return xg::minimize(loss, xg::chain(xg::rowwise_adagrad{.learning_rate = 0.1}, xg::ema{0.5}), features = count);
}
template<class Train>
std::vector<float> row_of(Train& train, std::int64_t r) {
    auto const v = train.value(table);
    return {v.data() + 3 * r, v.data() + 3 * r + 3};
}

}   // namespace

TEST_CASE("a row begins by its key alone, whatever came before, and with fresh slots") {
    auto a = make(8), b = make(8);
    xg::growing_table one{"rows", a, table, how}, two{"rows", b, table, how};
    CHECK(one.lookup_or_insert(keys{5, -9, 5}) == rows{1, 2, 1});
    CHECK(two.lookup_or_insert(keys{1, 2, 3, -9}) == rows{1, 2, 3, 4});
    CHECK(two.lookup_or_insert(keys{5}) == rows{5});
    CHECK(row_of(a, 1) == row_of(b, 5));
    CHECK(row_of(a, 2) == row_of(b, 4));
    CHECK(row_of(a, 1) != row_of(a, 2));
    CHECK(one.size() == 2);
    CHECK(one.room() == 5);
    CHECK(one.lookup(keys{-9, 4}) == rows{2, 0});
    CHECK(one.seen(5) == 2);
    CHECK(one.seen(4) == 0);

    // a row that is given back and given out again has nothing of the key before
    auto const as_made = row_of(a, 1);
    for (int step = 0; step < 3; ++step) a(ids = one.lookup_or_insert(keys{-9, 5}));
    CHECK(row_of(a, 1) != as_made);
    CHECK(a.slot<"accumulator">(table)[1] > 0.1f);
    CHECK(one.expire(0, 1000) == 2);
    CHECK(one.size() == 0);
    CHECK(one.lookup_or_insert(keys{5}) == rows{1});
    CHECK(row_of(a, 1) == as_made);
    CHECK(a.slot<"accumulator">(table)[1] == static_cast<float>(xg::rowwise_adagrad{}.initial_accumulator));
    CHECK(std::isnan(a.slot(table, "average")(1, 2)));   // has not begun
    CHECK(one.seen(5) == 1);
}
TEST_CASE("admission behind some sightings; until then row 0") {
    auto train = make(4);
    xg::growing_table t{"rows", train, table, how, {.admit_after = 3, .candidates = 2}};
    CHECK(t.lookup_or_insert(keys{7, 7, 8}) == rows{0, 0, 0});
    CHECK(t.lookup_or_insert(keys{7, 8}) == rows{1, 0});
    CHECK(t.lookup_or_insert(keys{8, 8, 8}) == rows{2, 2, 2});   // in the call in which it is seen often enough
    // rows and candidates together: four more keys would be too many, so one of them is not counted
    t.lookup_or_insert(keys{100, 101, 102, 103});
    CHECK(t.seen(102) == 1);
    CHECK(t.seen(103) == 0);
    CHECK(t.lookup_or_insert(keys{103, 103, 103, 103}) == rows{0, 0, 0, 0});
    CHECK(t.expire(1) == 2);   // and the three candidates
    CHECK(t.lookup_or_insert(keys{103, 103, 103, 103}) == rows{1, 1, 1, 1});
}
TEST_CASE("no room: the call changes nothing and says what to do; a table that has grown goes on") {
    auto train = make(4);
    xg::growing_table t{"rows", train, table, how, {.admit_after = 2}};
    t.lookup_or_insert(keys{1, 1, 2, 2, 3});
    auto const before = t.numbers();
    std::vector<float> const values(train.value(table).begin(), train.value(table).end());
    CHECK_THROWS_WITH_AS(t.lookup_or_insert(keys{3, 4, 4, 9, 1, 4}),
        doctest::Contains(
            "the growing table \"rows\" of \"table\" has no room for 2 new keys, for 4 at position 2 and those after it: 2 of 3 "
            "rows are given out; call expire(...)"),
        xg::value_error);
    CHECK(t.numbers() == before);
    CHECK(std::vector<float>(train.value(table).begin(), train.value(table).end()) == values);
    train.grow(features = 6, xg::zeros_initializer{});
    CHECK(t.lookup_or_insert(keys{3, 4, 4, 9, 1, 4}) == rows{3, 4, 4, 0, 1, 4});
    CHECK(t.room() == 1);
    std::vector<std::int32_t> short_rows(1);
    CHECK_THROWS_AS(t.lookup_or_insert(keys{1, 2}, std::span(short_rows)), xg::shape_error);
    CHECK_THROWS_AS(t.lookup(keys{1, 2}, std::span(short_rows)), xg::shape_error);
}
TEST_CASE("expire_after: expire as part of every so many calls") {
    auto train = make(40), other = make(40);
    xg::growing_table t{"rows", train, table, how, {.expire_after = 5}}, by_hand{"rows", other, table, how};
    for (std::int64_t call = 1; call <= 60; ++call) {
        keys const k{call / 3, -call / 2, call % 7 * 100};
        REQUIRE(t.lookup_or_insert(k) == by_hand.lookup_or_insert(k));
        if (call % 5 == 0) by_hand.expire(5);
        REQUIRE(t.numbers() == by_hand.numbers());
    }
    CHECK(t.size() < 20);
    CHECK(t.lookup(100 * (60 % 7)) > 0);
}
TEST_CASE("what cannot be a growing table") {
    auto train = make(4);
    constexpr auto other = xg::variable<"other", float, 4, 3>;
    CHECK_THROWS_AS((xg::growing_table{"rows", train, other, how}), xg::binding_error);
    CHECK_THROWS_AS((xg::growing_table{"rows", train, table, how, {.admit_after = 0}}), xg::value_error);
    CHECK_THROWS_AS((xg::growing_table{"rows", train, table, how, {.candidates = -1}}), xg::value_error);
    CHECK_THROWS_AS((xg::growing_table{"rows", train, table, how, {.expire_after = -1}}), xg::value_error);
    CHECK_THROWS_AS((xg::growing_table{"rows", train, table, xg::orthogonal{}}), xg::value_error);
    auto single = make(1);
    CHECK_THROWS_AS((xg::growing_table{"rows", single, table, how}), xg::value_error);
}
TEST_CASE("saved and restored with a checkpoint: further calls give the same rows and bits") {
    auto train = make(12), again = make(12);
    xg::growing_table t{"rows", train, table, how, {.admit_after = 2}}, back{"rows", again, table, how, {.admit_after = 2}};
    auto const call = [](auto& trainer, auto& of, std::uint64_t step) {
        keys k;
        for (std::uint64_t i = 0; i < 6; ++i) k.push_back(static_cast<std::int64_t>(xg::mix_bits(step * 7 + i) % 9));
        if (step % 5 == 4) of.expire(2);
        return trainer(ids = of.lookup_or_insert(k));
    };
    for (std::uint64_t step = 0; step < 14; ++step) call(train, t, step);
    temporary_folder const folder;
    std::string const path = (folder.path / "t.safetensors").string();
    xg::vocabulary words{"words"};
    words.lookup_or_insert(keys{4, 5});
    xg::save(train, path, {{"note", "hello"}}, t, words);
    CHECK_THROWS_AS(xg::restore(again, path), xg::checkpoint_error);
    xg::vocabulary words_back{"words"};
    CHECK(xg::restore(again, path, back, words_back).at("note") == "hello");
    CHECK(words_back.keys() == words.keys());
    CHECK(back.numbers() == t.numbers());
    for (std::uint64_t step = 14; step < 40; ++step) CHECK(call(train, t, step) == call(again, back, step));
    CHECK(back.numbers() == t.numbers());
    // anything but a list of rows is refused, and nothing changes
    auto const kept = back.numbers();
    for (std::vector<std::int64_t> const& wrong : {keys{}, keys{1, 2}, keys{5, 1, 1, 1, 0}, keys{5, 1, 1, 6, 1}, keys{5, 1, 0, 1, 1},
             keys{5, 1, 1, 1, 12}, keys{5, 1, 1, 1, 2, 3, 1, 1, 2}, keys{5, 1, 1, 1, 2, 1, 1, 1, 3}, keys{-1}, keys{5, 1, 1, 1, -3}})
        CHECK(!back.assign(wrong));
    CHECK(back.numbers() == kept);
}
#if XGRAD_INTERCEPT
TEST_CASE("lookups and expiry allocate nothing") {
    auto train = make(64);
    xg::growing_table t{"rows", train, table, how};
    rows at(40);
    keys k(40);
    CHECK(test::count_allocations([&] {
        for (std::int64_t round = 0; round < 3; ++round) {
            for (std::size_t i = 0; i < 40; ++i) k[i] = static_cast<std::int64_t>(i) * 977 % 63 - round % 2;
            t.lookup_or_insert(std::span<std::int64_t const>(k), std::span(at));
            t.lookup(std::span<std::int64_t const>(k), std::span(at));
            if (round == 0) t.expire(0, 2);
        }
    }) == 0);
    CHECK(t.size() > 40);
}
#endif
TEST_CASE("random calls against a model of maps") {
    auto train = make(40);
    xg::growing_table t{"rows", train, table, how, {.admit_after = 2}};
    struct known {
        std::int64_t seen = 0, last = 0, row = 0;
    };
    std::map<std::int64_t, known> model;
    std::set<std::int64_t> free;
    for (std::int64_t r = 1; r < 40; ++r) free.insert(r);
    std::int64_t call = 0;
    std::uint64_t random = 1;
    auto const next = [&](std::uint64_t below) { return (random = xg::mix_bits(random)) % below; };
    for (int round = 0; round < 3000; ++round) {
        if (next(10) == 0) {
            std::int64_t const idle = static_cast<std::int64_t>(next(40)), least = static_cast<std::int64_t>(next(3));
            std::int64_t given_back = 0;
            for (auto at = model.begin(); at != model.end();) {
                bool const goes = call - at->second.last > idle || at->second.seen < least;
                if (goes && at->second.row > 0) free.insert(at->second.row), ++given_back;
                at = goes ? model.erase(at) : std::next(at);
            }
            REQUIRE(t.expire(idle, least) == given_back);
        } else {
            keys k;
            for (std::uint64_t i = 0, count = next(8); i < count; ++i) k.push_back(static_cast<std::int64_t>(next(60)) * (1ll << 40) - 7);
            auto after = model;
            std::set<std::int64_t> due;
            for (std::int64_t const key : k) {
                if (after.count(key) == 0 && after.size() == 78) continue;
                if (known& e = after[key]; ++e.seen >= 2 && e.row == 0) due.insert(key);
            }
            rows at(k.size());
            if (due.size() > free.size()) {
                REQUIRE_THROWS_AS(t.lookup_or_insert(k, std::span(at)), xg::value_error);
                continue;
            }
            ++call;
            rows expected;
            for (std::int64_t const key : k) {
                if (after.count(key) == 0) {
                    expected.push_back(0);
                    continue;
                }
                known& e = after[key];
                e.last = call;
                if (e.row == 0 && e.seen >= 2) {
                    e.row = *free.begin();
                    free.erase(free.begin());
                }
                expected.push_back(static_cast<std::int32_t>(e.row));
            }
            model = after;
            t.lookup_or_insert(k, std::span(at));
            REQUIRE(at == expected);
        }
        REQUIRE(t.room() == static_cast<std::int64_t>(free.size()));
    }
    std::int64_t visited = 0;
    t.visit([&](std::int64_t key, std::int64_t row) {
        CHECK(model.at(key).row == row);
        ++visited;
    });
    CHECK(visited == t.size());
}
