// SPDX-License-Identifier: MIT
// Segments, lookups and updates by positions, each next to a hand-written loop that compares the positions too.
#include "hand/positions.hpp"
#include "operations.hpp"

#include <xgrad/all.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using bench::operation;
using bench::read;
using ids = hand::buffer<std::int32_t>;
using floats = hand::buffer<float>;

auto const last_output = [](auto const& r) -> auto const& { return std::get<1>(r); };

void segments(bench::suite& suite) {
    constexpr int count = 8192, width = 32, bins = 1000;
    constexpr auto x = xg::input<"x", float, count, width>;
    constexpr auto w = xg::input<"w", float, bins, width>;
    constexpr auto s = xg::input<"ids", std::int32_t, count>;
    floats const values = bench::numbers(count * width, 1), weights = bench::numbers(bins * width, 2);
    ids sorted = bench::ids(count, 3, bins), negative = bench::ids(count, 4, bins, -bins / 10);
    std::sort(sorted.data(), sorted.data() + count);
    floats y(bins * width), shares(bins * width), gradient(count * width);
    ids counts(bins);
    auto const sum_row = [&](std::string const& name, ids const& which, auto const& e, auto const& theirs) {
        xg::function f{e};
        operation(
            suite, name, 1e-5, y, [&] { return f(x = xg::array(read(values), count, width), s = xg::array(read(which), count)); }, theirs);
    };
    sum_row("segment_sum, 8192 rows of 32 to 1000", sorted, xg::segment_sum<bins>(x, s),
        [&] { hand::segment_sums<width>(values, sorted, y, count, bins); });
    sum_row("segment_mean, 8192 rows of 32 to 1000", sorted, xg::segment_mean<bins>(x, s),
        [&] { hand::segment_means<width>(values, sorted, y, counts, count, bins); });
    sum_row("segment_max, 8192 rows of 32 to 1000", sorted, xg::segment_max<bins>(x, s),
        [&] { hand::segment_maxima<width>(values, sorted, y, count, bins); });
    sum_row("unsorted_segment_sum, 8192 rows of 32 to 1000", negative, xg::unsorted_segment_sum<bins>(x, s),
        [&] { hand::segment_sums<width, true>(values, negative, y, count, bins); });
    constexpr auto loss = xg::sum(xg::segment_max<bins>(x, s) * w);
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, x))};
    operation(
        suite, "segment_max, 8192 rows of 32 to 1000: weighted sum and gradient", 1e-5, gradient,
        [&] {
            return f(
                x = xg::array(read(values), count, width), s = xg::array(read(sorted), count), w = xg::array(read(weights), bins, width));
        },
        [&] {
            hand::segment_maxima<width>(values, sorted, y, count, bins);
            bench::keep(hand::dot(y, weights, bins * width));
            hand::segment_maxima_gradient<width>(values, sorted, y, weights, shares, gradient, count, bins);
        },
        last_output);
    constexpr int many = 65536;
    constexpr auto n = xg::input<"n", std::int32_t, many>;
    ids const all = bench::ids(many, 5, bins);
    xg::function count_them{xg::bincount<bins>(n)};
    operation(
        suite, "bincount, 65536 ids to 1000", 0, counts, [&] { return count_them(n = xg::array(read(all), many)); },
        [&] { hand::counts_of(all, counts, many, bins); });
}

void lookups(bench::suite& suite) {
    constexpr int rows = 64, n = 1000, count = 200, width = 32, outer = 16;
    floats const values = bench::numbers(outer * n * width, 1);
    ids const which = bench::ids(rows * n, 2, n), at_rows = bench::ids(count * rows, 3, n);
    {
        constexpr auto x = xg::input<"x", float, rows, n>;
        constexpr auto i = xg::input<"i", std::int32_t, count>;
        floats y(rows * count);
        xg::function f{xg::take<1>(x, i)};
        operation(
            suite, "take<1>, 64 x 1000 at 200", 0, y,
            [&] { return f(x = xg::array(read(values), rows, n), i = xg::array(read(which), count)); },
            [&] { hand::take_elements(values, which, y, rows, n, count); });
    }
    {
        constexpr auto x = xg::input<"x", float, outer, n, width>;
        constexpr auto w = xg::input<"w", float, outer, count, width>;
        constexpr auto i = xg::input<"i", std::int32_t, count>;
        floats y(outer * count * width), gradient(outer * n * width);
        floats const weights = bench::numbers(outer * count * width, 4);
        xg::function f{xg::take<1>(x, i)};
        operation(
            suite, "take<1>, 16 x 1000 x 32 at 200", 0, y,
            [&] { return f(x = xg::array(read(values), outer, n, width), i = xg::array(read(which), count)); },
            [&] { hand::take_rows<width>(values, which, y, outer, n, count); });
        constexpr auto loss = xg::sum(xg::take<1>(x, i) * w);
        xg::function g{xg::outputs(loss, xg::gradient_of(loss, x))};
        operation(
            suite, "take<1>, 16 x 1000 x 32 at 200: weighted sum and gradient", 1e-5, gradient,
            [&] {
                return g(x = xg::array(read(values), outer, n, width), i = xg::array(read(which), count),
                    w = xg::array(read(weights), outer, count, width));
            },
            [&] {
                hand::take_rows<width>(values, which, y, outer, n, count);
                bench::keep(hand::dot(y, weights, outer * count * width));
                hand::add_taken_rows<width>(weights, which, gradient, outer, n, count);
            },
            last_output);
    }
    {
        constexpr auto x = xg::input<"x", float, rows, n>;
        constexpr auto i = xg::input<"i", std::int32_t, rows, n>;
        floats y(rows * n);
        xg::function f{xg::take_along_axis<1>(x, i)};
        operation(
            suite, "take_along_axis<1>, 64 x 1000 at 64 x 1000", 0, y,
            [&] { return f(x = xg::array(read(values), rows, n), i = xg::array(read(which), rows, n)); },
            [&] { hand::take_along_rows(values, which, y, rows, n, n); });
    }
    {
        constexpr auto x = xg::input<"x", float, n, rows>;
        constexpr auto i = xg::input<"i", std::int32_t, count, rows>;
        floats y(count * rows);
        xg::function f{xg::take_along_axis<0>(x, i)};
        operation(
            suite, "take_along_axis<0>, 1000 x 64 at 200 x 64", 0, y,
            [&] { return f(x = xg::array(read(values), n, rows), i = xg::array(read(at_rows), count, rows)); },
            [&] { hand::take_along_columns(values, at_rows, y, n, rows, count); });
    }
    constexpr int depth = 100, many = 4096;
    constexpr auto i = xg::input<"i", std::int32_t, many>;
    floats y(many * depth);
    ids const classes = bench::ids(many, 6, depth);
    xg::function f{xg::one_hot<depth>(i)};
    operation(
        suite, "one_hot<100>, 4096 ids", 0, y, [&] { return f(i = xg::array(read(classes), many)); },
        [&] { hand::ones_at(classes, y, many, depth); });
}

void pairs_and_updates(bench::suite& suite) {
    constexpr int m = 100, width = 32, count = 4096, rows = 1000, many = 8192;
    floats const values = bench::numbers(m * m * width, 1), updates = bench::numbers(many * width, 2);
    ids const pairs = bench::ids(2 * count, 3, m), which = bench::ids(many, 4, rows);
    constexpr auto x = xg::input<"x", float, m, m, width>;
    constexpr auto u = xg::input<"u", float, count, width>;
    constexpr auto i = xg::input<"i", std::int32_t, count, 2>;
    {
        floats y(count * width);
        xg::function f{xg::gather_nd(x, i)};
        operation(
            suite, "gather_nd, 4096 pairs, rows of 32", 0, y,
            [&] { return f(x = xg::array(read(values), m, m, width), i = xg::array(read(pairs), count, 2)); },
            [&] { hand::gather_at_pairs<width>(values, pairs, y, m, m, count); });
    }
    {
        floats y(m * m * width);
        xg::function f{xg::scatter_nd_add(x, i, u)};
        operation(
            suite, "scatter_nd_add, 4096 pairs, rows of 32", 1e-6, y,
            [&] {
                return f(x = xg::array(read(values), m, m, width), i = xg::array(read(pairs), count, 2),
                    u = xg::array(read(updates), count, width));
            },
            [&] { hand::add_at_pairs<width>(values, pairs, updates, y, m, m, count); });
    }
    {
        constexpr auto t = xg::input<"t", float, rows, width>;
        constexpr auto v = xg::input<"v", float, many, width>;
        constexpr auto k = xg::input<"k", std::int32_t, many>;
        floats y(rows * width);
        xg::function f{xg::scatter_add(t, k, v)};
        operation(
            suite, "scatter_add, 8192 rows of 32 to 1000", 1e-5, y,
            [&] {
                return f(
                    t = xg::array(read(values), rows, width), k = xg::array(read(which), many), v = xg::array(read(updates), many, width));
            },
            [&] { hand::add_rows<width>(values, which, updates, y, 1, rows, many); });
    }
    {
        constexpr int outer = 16, some = 200;
        constexpr auto t = xg::input<"t", float, outer, rows, 16>;
        constexpr auto v = xg::input<"v", float, outer, some, 16>;
        constexpr auto k = xg::input<"k", std::int32_t, some>;
        floats y(outer * rows * 16);
        xg::function f{xg::index_add<1>(t, k, v)};
        operation(
            suite, "index_add<1>, 16 x 1000 x 16 at 200", 1e-6, y,
            [&] {
                return f(t = xg::array(read(values), outer, rows, 16), k = xg::array(read(which), some),
                    v = xg::array(read(updates), outer, some, 16));
            },
            [&] { hand::add_rows<16>(values, which, updates, y, outer, rows, some); });
    }
}

void embedding_bags(bench::suite& suite) {
    constexpr int rows = 10'000, width = 64, bags = 512, length = 20;
    constexpr auto table = xg::input<"table", float, rows, width>;
    constexpr auto i = xg::input<"i", std::int32_t, bags, length>;
    floats const values = bench::numbers(rows * width, 1);
    ids const full = bench::ids(bags * length, 2, rows);
    ids ragged = bench::ids(bags * length, 2, rows);
    for (int b = 0; b < bags; ++b)
        for (int k = 5 + b % (length - 5); k < length; ++k) ragged[b * length + k] = -1;
    floats y(bags * width);
    auto const row = [&](std::string const& name, ids const& which, auto const& e, auto const& theirs) {
        xg::function f{e};
        operation(
            suite, name, 1e-5, y, [&] { return f(table = xg::array(read(values), rows, width), i = xg::array(read(which), bags, length)); },
            theirs);
    };
    row("embedding_bag, sums of 512 bags of 20 rows of 64", full, xg::embedding_bag<xg::combiner::sum>(table, i),
        [&] { hand::bags<width, false, false>(values, full, y, bags, length, rows, -1); });
    row("embedding_bag, means of 512 bags of 20 rows of 64", full, xg::embedding_bag<xg::combiner::mean>(table, i),
        [&] { hand::bags<width, true, false>(values, full, y, bags, length, rows, -1); });
    row("embedding_bag, means of 512 bags of 5 to 19 rows of 64", ragged, xg::embedding_bag<xg::combiner::mean, -1>(table, i),
        [&] { hand::bags<width, true, true>(values, ragged, y, bags, length, rows, -1); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Segments, lookups and updates by positions");
    segments(suite);
    lookups(suite);
    pairs_and_updates(suite);
    embedding_bags(suite);
    return suite.finish();
}
