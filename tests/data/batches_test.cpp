// SPDX-License-Identifier: MIT
// Batches: each row once an epoch, orders that seed and epoch decide, positions, errors, no allocation; element types and ranks.
#include <support/allocations.hpp>
#include <support/message_of.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/data/batches.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

namespace xg = xgrad;

namespace {

using numbers = std::vector<int>;

/// 0, 1, ...
numbers count_to(int n) {
    numbers r(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = i;
    return r;
}
/// The rest of the epoch, batch by batch.
template<class Batches>
numbers rest_of(Batches& all) {
    numbers r;
    for (auto const& [x] : all) r.insert(r.end(), x.begin(), x.end());
    return r;
}
numbers sorted(numbers r) {
    std::sort(r.begin(), r.end());
    return r;
}
/// A matrix whose number of axes the compiler does not know, as of xt::xarray.
struct matrix {
    std::vector<double> elements;
    std::vector<std::size_t> extents;
    double const* data() const { return elements.data(); }
    std::size_t size() const { return elements.size(); }
    std::vector<std::size_t> const& shape() const { return extents; }
    auto begin() const { return elements.begin(); }
    auto end() const { return elements.end(); }
};
/// Every second column.
struct gaps : matrix {
    std::vector<std::ptrdiff_t> strides() const { return {4, 2}; }
};

}   // namespace

TEST_CASE("each row once an epoch, rows of one number together, in an order that seed and epoch decide") {
    numbers const x = count_to(103);
    std::vector<std::int64_t> y(2 * 103);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1000 + static_cast<std::int64_t>(i);
    xg::batches all{{.size = 10, .seed = 5}, x, xg::array(y.data(), 103, 2)};
    CHECK(all.count() == 11);
    CHECK(all.rows() == 103);
    std::vector<numbers> epochs;
    for (int epoch = 0; epoch < 3; ++epoch) {
        CHECK(all.epoch() == epoch);
        numbers seen;
        for (auto const& [bx, by] : all) {
            std::int64_t const n = seen.size() == 100 ? 3 : 10;
            REQUIRE(bx.shape().size() == 1);
            REQUIRE(by.shape().size() == 2);
            CHECK(bx.shape(0) == n);
            CHECK(by.shape(0) == n);
            CHECK(by.shape(1) == 2);
            CHECK(by.size() == 2 * n);
            for (std::int64_t i = 0; i < n; ++i) {
                seen.push_back(bx[i]);
                CHECK(by[2 * i] == 1000 + 2 * bx[i]);
                CHECK(by[2 * i + 1] == 1001 + 2 * bx[i]);
            }
        }
        CHECK(sorted(seen) == x);
        CHECK(seen != x);
        epochs.push_back(seen);
    }
    CHECK(epochs[0] != epochs[1]);
    CHECK(epochs[1] != epochs[2]);
    CHECK(epochs[0] != epochs[2]);

    xg::batches same{{.size = 10, .seed = 5}, x}, other{{.size = 10, .seed = 6}, x}, larger{{.size = 64, .seed = 5}, x};
    CHECK(rest_of(same) == epochs[0]);
    CHECK(rest_of(other) != epochs[0]);
    CHECK(rest_of(larger.at(1)) == epochs[1]);   // the order of rows does not depend on the size
    CHECK(rest_of(same.at(2)) == epochs[2]);
    CHECK(rest_of(same.at(0)) == epochs[0]);
}
TEST_CASE("the order is the same on all machines and in all versions") {
    numbers const x = count_to(12);
    xg::batches all{{.size = 12, .seed = 1}, x};
    CHECK(rest_of(all) == numbers{0, 9, 11, 3, 6, 7, 8, 10, 4, 2, 5, 1});
    CHECK(rest_of(all) == numbers{9, 10, 4, 11, 7, 0, 8, 2, 3, 6, 1, 5});
}
TEST_CASE("drop_last, the order of the arrays, batches that are larger than all") {
    numbers const x = count_to(23);
    xg::batches whole{{.size = 5, .drop_last = true}, x}, plain{{.size = 5, .shuffle = false}, x},
        both{{.size = 5, .shuffle = false, .drop_last = true}, x}, one{{.size = 1000}, x};
    CHECK(whole.count() == 4);
    numbers used;
    for (auto const& [b] : whole) {
        CHECK(b.size() == 5);
        used.insert(used.end(), b.begin(), b.end());
    }
    used = sorted(used);
    CHECK(used.size() == 20);
    CHECK(std::adjacent_find(used.begin(), used.end()) == used.end());

    CHECK(plain.count() == 5);
    CHECK(rest_of(plain) == x);
    CHECK(rest_of(plain) == x);
    CHECK(rest_of(both) == count_to(20));
    auto const [first] = plain.next();
    CHECK(first.data() == x.data());   // nothing is copied

    CHECK(one.count() == 1);
    CHECK(sorted(rest_of(one)) == x);
    xg::batches fits{{.size = 23}, x};
    CHECK(fits.count() == 1);
}
TEST_CASE("a loop goes on where the one before has ended; next() goes on behind the last batch") {
    numbers const x = count_to(20);
    xg::batches all{{.size = 4, .seed = 3}, x}, by_hand{{.size = 4, .seed = 3}, x};
    numbers expected, seen;
    for (int k = 0; k < 12; ++k) {
        CHECK(by_hand.epoch() == k / 5);
        CHECK(by_hand.batch() == k % 5);
        auto const [b] = by_hand.next();
        expected.insert(expected.end(), b.begin(), b.end());
    }
    int steps = 0;
    for (auto const& [b] : all) {
        seen.insert(seen.end(), b.begin(), b.end());
        CHECK(all.batch() == steps + 1);   // that which follows
        if (++steps == 2) break;
    }
    for (auto const& [b] : all | std::views::take(1)) seen.insert(seen.end(), b.begin(), b.end());
    CHECK(all.batch() == 3);
    CHECK(all.epoch() == 0);
    for (int k = 0; k < 2; ++k) {
        numbers const rest = rest_of(all);
        seen.insert(seen.end(), rest.begin(), rest.end());
    }
    expected.resize(40);
    CHECK(seen == expected);
    CHECK(all.epoch() == 2);

    auto i = all.at(0, 1).begin();
    CHECK(all.batch() == 1);   // not looked at yet
    ++i;
    CHECK(all.batch() == 2);
    CHECK(&*i == &*i);
    CHECK(all.batch() == 3);
}
TEST_CASE("element types, ranks, rows without elements") {
    struct trade {
        double price;
        char side;
    };
    std::vector<trade> trades;
    for (int i = 0; i < 9; ++i) trades.push_back({i + 0.5, static_cast<char>('a' + i)});
    matrix const dynamic{std::vector<double>(9 * 3), {9, 3}};
    bool const flags[9][2]{{}, {true, false}, {}, {}, {}, {}, {}, {}, {false, true}};
    std::vector<xg::bfloat16> halves(9);
    for (int i = 0; i < 9; ++i) halves[static_cast<std::size_t>(i)] = xg::bfloat16(static_cast<float>(i));
    std::vector<float> const none;
    xg::batches all{{.size = 2, .seed = 8}, trades, dynamic, flags, halves, xg::array(none.data(), 9, 0)};
    int seen = 0;
    for (auto const& [t, d, f, h, empty] : all) {
        CHECK(d.shape(1) == 3);
        CHECK(f.shape(1) == 2);
        CHECK(empty.size() == 0);
        CHECK(empty.shape(0) == t.shape(0));
        for (std::int64_t i = 0; i < t.shape(0); ++i, ++seen) {
            int const row = t[i].side - 'a';
            CHECK(t[i].price == row + 0.5);
            CHECK(static_cast<float>(h[i]) == static_cast<float>(row));
            CHECK(f[2 * i] == (row == 1));
            CHECK(f[2 * i + 1] == (row == 8));
        }
    }
    CHECK(seen == 9);
}
#if XGRAD_INTERCEPT
TEST_CASE("to iterate allocates nothing") {
    numbers const x = count_to(1000), y = count_to(1000);
    xg::batches all{{.size = 64}, x, y};
    long sum = 0;
    CHECK(test::count_allocations([&] {
        for (int epoch = 0; epoch < 3; ++epoch)
            for (auto const& [bx, by] : all)
                for (std::int64_t i = 0; i < bx.size(); ++i) sum += bx[i] + by[i];
        all.at(7, 3);
        sum += std::get<0>(all.next())[0] >= 0;
    }) == 0);
    CHECK(sum == 3 * 999000 + 1);
}
#endif
TEST_CASE("what cannot be batches") {
    numbers const x = count_to(10), y = count_to(9), none;
    gaps const strided{{std::vector<double>(40), {10, 2}}};
    auto const message = [](auto const&... a) { return test::message_of<xg::shape_error>([&] { xg::batches all(a...); }); };
    auto const refused = [](auto const&... a) { return test::message_of<xg::value_error>([&] { xg::batches all(a...); }); };
    using options = xg::batches_options;
    CHECK(message(options{.size = 2}, x, x, y) ==
          "xgrad: the batches \"batches\": array 3 has 9 rows, and array 1 has 10; one of several columns needs "
          "its extents: xgrad::array(pointer, rows, columns)");
    CHECK(message(options{.size = 2, .name = "test set"}, x, 4.0f) ==
          "xgrad: the batches \"test set\": array 2 has rank 0, expected are 1 to 6 axes, of which the first one is rows");
    CHECK(message(options{.size = 2}, matrix{{}, {1, 1, 1, 1, 1, 1, 1}})
              .ends_with("array 1 has rank 7, expected are 1 to 6 axes, of which the first one is rows"));
    CHECK(test::message_of<xg::binding_error>([&] { xg::batches all(options{.size = 2}, x, strided); }) ==
          "xgrad: the batches \"batches\": array 2 does not have contiguous rows; copy it to a row-major container first, for "
          "example with xt::eval");
    CHECK(refused(options{}, x) == "xgrad: the batches \"batches\" have size 0, which must be at least 1");
    CHECK(refused(options{.size = 4}, none) == "xgrad: the batches \"batches\" have arrays without rows");
    CHECK(refused(options{.size = 11, .drop_last = true}, x) ==
          "xgrad: the batches \"batches\" would be empty: there are 10 rows, and a batch of less than 11 is dropped with drop_last");
    xg::batches all{{.size = 4}, x};
    CHECK(test::message_of<xg::value_error>([&] { all.at(2, 3); }) ==
          "xgrad: the batches \"batches\" have no batch 3 of epoch 2: each epoch, from 0 on, has 3");
    CHECK_THROWS_AS(all.at(-1), xg::value_error);
    CHECK_THROWS_AS(all.at(0, -1), xg::value_error);
    CHECK(all.epoch() == 0);
    CHECK(all.batch() == 0);
}
