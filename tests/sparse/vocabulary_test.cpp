// SPDX-License-Identifier: MIT
// Keys to rows against a map of the standard library; order, missing keys, errors.
#include <xgrad/sparse/vocabulary.hpp>

#include <doctest/doctest.h>

#include <set>
#include <unordered_map>

namespace {
namespace xg = xgrad;
using keys = std::vector<std::int64_t>;
using rows = std::vector<std::int32_t>;
}

TEST_CASE("rows are given out in the order of first occurrence, for keys of any value") {
    xg::vocabulary v{"v"};
    CHECK(v.size() == 0);
    CHECK_THROWS_AS(xg::vocabulary{""}, xg::value_error);
    CHECK(v.lookup(0) == -1);
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    CHECK(v.lookup_or_insert(keys{0, -1, least, most, 0, least}) == rows{0, 1, 2, 3, 0, 2});
    CHECK(v.keys() == keys{0, -1, least, most});
    CHECK(v.contains(most));
    CHECK(!v.contains(1));
    rows found(3);
    v.lookup(keys{most, 5, -1}, std::span(found), 0);
    CHECK(found == rows{3, 0, 1});
    std::vector<std::int64_t> wide(2);
    v.lookup(keys{5, 0}, std::span(wide));
    CHECK(wide == keys{-1, 0});
    v.lookup_or_insert(keys{5, 0}, std::span(wide));
    CHECK(wide == keys{4, 0});
    CHECK_THROWS_AS(v.lookup(keys{5}, std::span(wide)), xg::shape_error);
    CHECK_THROWS_WITH(v.lookup_or_insert(keys{5}, std::span(wide)),
        "xgrad: the vocabulary \"v\": there are 1 keys and 2 rows; give one row for each key");
    CHECK(v.name() == "v");
}

TEST_CASE("many keys against std::unordered_map, also keys that differ in few bits") {
    for (std::uint64_t const stride : {1ull, 64ull, 1ull << 32, 0x9E3779B97F4A7C15ull}) {
        xg::vocabulary v{"v"};
        std::unordered_map<std::int64_t, std::int64_t> map;
        if (stride == 64) v.reserve(30'000);
        for (std::uint64_t i = 0; i < 50'000; ++i) {
            auto const key = static_cast<std::int64_t>(xg::mix_bits(i) % 30'000 * stride);
            auto const [at, fresh] = map.emplace(key, static_cast<std::int64_t>(map.size()));
            REQUIRE(v.contains(key) == !fresh);
            REQUIRE(v.lookup_or_insert(key) == at->second);
        }
        CHECK(v.size() == static_cast<std::int64_t>(map.size()));
        for (auto const& [key, row] : map) {
            REQUIRE(v.lookup(key) == row);
            REQUIRE(v.keys()[static_cast<std::size_t>(row)] == key);
        }
    }
}

TEST_CASE("assign takes the keys of a checkpoint, and refuses a key that occurs twice") {
    xg::vocabulary v{"v"};
    v.lookup_or_insert(keys{1, 2});
    CHECK(!v.assign(keys{3, 4, 3}));
    CHECK(v.keys() == keys{1, 2});
    CHECK(v.assign(keys{9, 8, 7}));
    CHECK(v.lookup(8) == 1);
    CHECK(v.lookup(1) == -1);
    CHECK(v.lookup_or_insert(1) == 3);
    CHECK(v.assign({}));
    CHECK(v.size() == 0);
}

TEST_CASE("keys of texts") {
    static_assert(xg::key_of("user 1") != xg::key_of("user 2") && xg::key_of("") == xg::key_of(""));
    std::set<std::int64_t> all;
    for (int i = 0; i < 100'000; ++i) all.insert(xg::key_of("item " + std::to_string(i)));
    CHECK(all.size() == 100'000);
}
