// SPDX-License-Identifier: MIT
// Grouping, summing and sorting of indices against plain loops.
#include <support/cache_line.hpp>

#include <xgrad/sparse/coalesce.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

namespace sp = xgrad::sparse;

namespace {
std::vector<test::cache_line> workspace(std::size_t bytes) {
    std::vector<test::cache_line> w(bytes / 64 + 1);
    std::fill_n(
        reinterpret_cast<unsigned char*>(w.data()), w.size() * 64, static_cast<unsigned char>(0xa5));   // its content must not matter
    return w;
}

/// The definition: first occurrence, sums in order of k; a float takes 64 terms, then a double takes over.
template<class Index, class T>
void check(std::vector<Index> const& indices, std::int64_t row, std::int64_t table_rows) {
    auto const n = static_cast<std::int64_t>(indices.size());
    std::mt19937 random(1);
    std::vector<T> values(static_cast<std::size_t>(n * row));
    for (T& v : values) v = static_cast<T>(static_cast<int>(random() % 2001) - 1000) / T(7);
    std::vector<Index> rows;
    std::vector<T> sums;
    std::vector<double> totals;
    std::vector<int> terms;
    std::map<Index, std::size_t> seen;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        auto const [where, fresh] = seen.try_emplace(indices[k], rows.size());
        if (fresh) {
            rows.push_back(indices[k]);
            terms.push_back(0);
            sums.resize(sums.size() + static_cast<std::size_t>(row));
            totals.resize(sums.size());
        }
        bool const moves = std::is_same_v<T, float> && terms[where->second] == 64;
        for (std::int64_t e = 0; e < row; ++e) {
            T const x = values[k * static_cast<std::size_t>(row) + static_cast<std::size_t>(e)];
            std::size_t const at = where->second * static_cast<std::size_t>(row) + static_cast<std::size_t>(e);
            if (moves) totals[at] += static_cast<double>(sums[at]);
            sums[at] = moves || terms[where->second] == 0 ? x : sums[at] + x;
        }
        terms[where->second] = moves ? 1 : terms[where->second] + 1;
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (totals[i] != 0) sums[i] = static_cast<T>(totals[i] + static_cast<double>(sums[i]));
    auto w = workspace(sp::group_bytes(n, table_rows));
    std::vector<Index> rows_out(indices.size());
    std::vector<T> out(values.size());
    std::int64_t const count = sp::coalesce(indices.data(), values.data(), n, row, table_rows, rows_out.data(), out.data(), w.data());
    REQUIRE(count == static_cast<std::int64_t>(rows.size()));
    rows_out.resize(rows.size());
    out.resize(sums.size());
    CHECK(rows_out == rows);
    CHECK(out == sums);   // bit for bit: the order of the additions is part of the result
}
}   // namespace

TEST_CASE_TEMPLATE("A12 duplicates are summed in order of first occurrence", Index, std::int32_t, std::int64_t) {
    std::vector<Index> const indices{5, 2, 5, 7, 2};
    std::vector<float> const values{1, 10, 100, 1000, 10000};
    for (std::int64_t table_rows : {8, 1000000}) {
        auto w = workspace(sp::group_bytes(5, table_rows));
        Index rows[5];
        float sums[5];
        CHECK(sp::coalesce(indices.data(), values.data(), 5, 1, table_rows, rows, sums, w.data()) == 3);
        CHECK(std::vector<Index>(rows, rows + 3) == std::vector<Index>{5, 2, 7});
        CHECK(std::vector<float>(sums, sums + 3) == std::vector<float>{101, 10010, 1000});
    }
}

TEST_CASE("both ways of grouping, all row lengths") {
    static_assert(sp::uses_row_table(400, 7122) && sp::uses_row_table(8192, 50000) && !sp::uses_row_table(8192, 1000000));
    std::mt19937 random(2);
    for (std::int64_t table_rows : {1, 10, 300, 1000000}) {
        for (std::int64_t row : {1, 2, 3, 7, 8, 15, 16, 17, 33, 50}) {
            for (int n : {0, 1, 2, 17, 200}) {
                std::vector<std::int32_t> indices;
                std::vector<std::int64_t> wide;
                for (int k = 0; k < n; ++k) {
                    indices.push_back(static_cast<std::int32_t>(random() % (k % 2 == 0 ? static_cast<std::uint32_t>(table_rows) : 1u)));
                    wide.push_back(indices.back());
                }
                check<std::int32_t, float>(indices, row, table_rows);
                check<std::int64_t, double>(wide, row, table_rows);
            }
        }
    }
}

TEST_CASE("indices that hash alike, and the largest row") {
    std::vector<std::int64_t> indices;
    for (int i = 0; i < 100; ++i) {
        indices.push_back((std::int64_t{1} << 31) - 2 - (i % 37) * 4096);
        indices.push_back(i % 5);
    }
    check<std::int64_t, float>(indices, 4, (std::int64_t{1} << 31) - 1);
}

TEST_CASE("no duplicates: the slices stand as they are") {
    std::int32_t const indices[] = {3, 1, 2};
    auto w = workspace(sp::group_bytes(3, 4));
    auto const groups = sp::group_rows(indices, 3, 4, w.data());
    CHECK(groups.count == 3);
    CHECK(groups.order == nullptr);
}

TEST_CASE("the workspace needs no care between calls") {
    auto w = workspace(sp::group_bytes(4, 8));
    std::int32_t const first[] = {1, 1, 2, 3}, second[] = {3, 3, 3, 1};
    CHECK(sp::group_rows(first, 4, 8, w.data()).count == 3);
    auto const groups = sp::group_rows(second, 4, 8, w.data());
    CHECK(groups.count == 2);
    CHECK(groups.rows[0] == 3);
    CHECK(groups.rows[1] == 1);
    CHECK(std::vector<std::int32_t>(groups.order, groups.order + 4) == std::vector<std::int32_t>{0, 1, 2, 3});
    CHECK(std::vector<std::int32_t>(groups.offsets, groups.offsets + 3) == std::vector<std::int32_t>{0, 3, 4});
}

TEST_CASE("groups sorted by row") {
    std::mt19937 random(3);
    for (std::int64_t table_rows : {1, 2, 256, 257, 70000, 20000000}) {
        for (int n : {0, 1, 5, 1000}) {
            std::vector<std::int32_t> indices;
            for (int k = 0; k < n; ++k) indices.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(table_rows)));
            auto w = workspace(sp::group_bytes(n, table_rows)), s = workspace(sp::sort_bytes(n));
            auto const groups = sp::group_rows(indices.data(), n, table_rows, w.data());
            auto const sorted = sp::sort_groups(groups, table_rows, s.data());
            bool good = true;
            for (std::int64_t u = 0; u < groups.count; ++u)
                good = good && sorted.rows[u] == groups.rows[sorted.which[u]] && (u == 0 || sorted.rows[u - 1] < sorted.rows[u]);
            CHECK(good);
        }
    }
}
