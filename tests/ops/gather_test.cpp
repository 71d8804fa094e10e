// SPDX-License-Identifier: MIT
// Rows by index: values, gradients as slices and dense, indices out of range.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

template<class I>
test::tensor<I> ids_below(std::vector<std::int64_t> shape, std::int64_t limit) {
    test::tensor<I> r(std::move(shape));
    for (std::int64_t i = 0; i < r.size(); ++i)
        r[i] = static_cast<I>(xg::mix_bits(static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(limit));
    return r;
}
}

TEST_CASE_TEMPLATE("lookups and bags", I, std::int32_t, std::int64_t) {
    constexpr auto table = xg::input<"table", float, 7, 5>;
    constexpr auto i = xg::input<"i", I, batch>;
    constexpr auto j = xg::input<"j", I, batch, length>;
    xg::function f{xg::outputs(xg::gather(table, i), xg::embedding_lookup(table, j), xg::embedding_bag(table, j), xg::one_hot<7>(i),
        xg::one_hot<3, double>(j), xg::gather(xg::square(table), i))};
    auto const t = test::numbers<float>({7, 5});
    for (auto const& [n, l] : {std::array<std::int64_t, 2>{6, 3}, {1, 1}, {0, 2}, {4, 0}, {33, 2}}) {
        CAPTURE(n);
        CAPTURE(l);
        auto const a = ids_below<I>({n}, 7), b = ids_below<I>({n, l}, 7);
        auto const [rows, stack, bags, hot, hots, squares] = f(table = t, i = a, j = b);
        REQUIRE(rows.shape() == std::array<std::int64_t, 2>{n, 5});
        REQUIRE(stack.shape() == std::array<std::int64_t, 3>{n, l, 5});
        REQUIRE(bags.shape() == std::array<std::int64_t, 2>{n, 5});
        for (std::int64_t r = 0; r < n; ++r) {
            for (std::int64_t k = 0; k < 5; ++k) {
                CHECK(rows(r, k) == t[a[r] * 5 + k]);
                CHECK(squares(r, k) == t[a[r] * 5 + k] * t[a[r] * 5 + k]);
                float sum = 0;
                for (std::int64_t q = 0; q < l; ++q) {
                    CHECK(stack(r, q, k) == t[b[r * l + q] * 5 + k]);
                    sum += t[b[r * l + q] * 5 + k];
                }
                CHECK(bags(r, k) == doctest::Approx(sum).epsilon(1e-6));
            }
            for (std::int64_t k = 0; k < 7; ++k) CHECK(hot(r, k) == (a[r] == k ? 1.0F : 0.0F));
            for (std::int64_t q = 0; q < l; ++q)
                for (std::int64_t k = 0; k < 3; ++k) CHECK(hots(r, q, k) == (b[r * l + q] == k ? 1.0 : 0.0));
        }
    }
}

TEST_CASE("masks of lengths: positions below each, of static and named extents") {
    constexpr auto n = xg::input<"n", std::int32_t, batch>;
    constexpr auto wide = xg::input<"wide", std::int64_t, batch, 2>;
    constexpr auto x = xg::input<"x", float, batch, length>;
    constexpr auto here = xg::sequence_mask<length>(n);
    xg::function f{xg::outputs(here, xg::sequence_mask<5>(wide), xg::sum<1>(xg::select(here, x, xg::constant<float, 0>)))};
    auto const lengths = test::list<std::int32_t>({2, 0, 3, 7, -1});
    auto const pairs = test::list<std::int64_t>({1, 5, 0, 9, 4, -3, 2, 2, 3, 1});
    auto const values = test::numbers<float>({5, 3});
    auto const [mask, masks, sums] = f(n = lengths, wide = xg::array(pairs.data(), 5, 2), x = values);
    REQUIRE(mask.shape() == std::array<std::int64_t, 2>{5, 3});
    REQUIRE(masks.shape() == std::array<std::int64_t, 3>{5, 2, 5});
    for (std::int64_t i = 0; i < 5; ++i) {
        float sum = 0;
        for (std::int64_t k = 0; k < 3; ++k) {
            CHECK(mask(i, k) == (k < lengths[i]));
            if (k < lengths[i]) sum += values[i * 3 + k];
        }
        CHECK(sums[i] == sum);
        for (std::int64_t j = 0; j < 2; ++j)
            for (std::int64_t k = 0; k < 5; ++k) CHECK(masks(i, j, k) == (k < pairs[2 * i + j]));
    }
}
TEST_CASE("rows of a table that is larger than a cache, of which the next ones are asked for before they are read") {
    constexpr std::int64_t rows = 9000, width = 20;
    constexpr auto table = xg::input<"table", float, rows, width>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto j = xg::input<"j", std::int32_t, batch, length>;
    xg::function f{xg::outputs(xg::gather(table, i), xg::embedding_bag(table, j))};
    auto const t = test::numbers<float>({rows, width});
    for (std::int64_t n : {0, 1, 15, 16, 17, 40, 1000}) {
        CAPTURE(n);
        auto a = ids_below<std::int32_t>({n}, rows), b = ids_below<std::int32_t>({n, 3}, rows);
        if (n > 1) a[0] = 0, a[n - 1] = rows - 1;
        auto const [found, bags] = f(table = t, i = a, j = b);
        std::int64_t wrong = 0;
        for (std::int64_t r = 0; r < n; ++r)
            for (std::int64_t k = 0; k < width; ++k) {
                float sum = 0;
                for (std::int64_t q = 0; q < 3; ++q) sum += t[b[r * 3 + q] * width + k];
                wrong += found(r, k) != t[a[r] * width + k];
                wrong += bags(r, k) != sum;
            }
        CHECK(wrong == 0);
        for (std::int32_t bad : {-1, 9000, INT32_MAX, INT32_MIN}) {
            if (n == 0) continue;
            auto worse = a;
            worse[n - 1] = bad;
            CHECK_THROWS_AS(f(table = t, i = worse, j = b), xg::value_error);
            auto pairs = b;
            pairs[3 * n - 2] = bad;
            CHECK_THROWS_AS(f(table = t, i = a, j = pairs), xg::value_error);
        }
    }
}

TEST_CASE("lookups of vectors and of tensors of three") {
    constexpr auto v = xg::input<"v", double, 4>;
    constexpr auto t = xg::input<"t", double, 3, 2, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto j = xg::input<"j", std::int32_t, batch, 2>;
    xg::function f{xg::outputs(xg::gather(v, i), xg::gather(t, i), xg::embedding_bag(v, j))};
    auto const a = test::numbers<double>({4}), b = test::numbers<double>({3, 2, 2});
    auto const ids = test::list<std::int32_t>({2, 0, 2});
    auto const pairs = ids_below<std::int32_t>({3, 2}, 4);
    auto const [x, y, z] = f(v = a, t = b, i = ids, j = pairs);
    for (std::int64_t r = 0; r < 3; ++r) {
        CHECK(x[r] == a[ids[r]]);
        CHECK(z[r] == doctest::Approx(a[pairs[2 * r]] + a[pairs[2 * r + 1]]));
        for (std::int64_t k = 0; k < 4; ++k) CHECK(y[r * 4 + k] == b[ids[r] * 4 + k]);
    }
}

TEST_CASE("gradients of lookups against finite differences") {
    constexpr auto table = xg::input<"table", double, 5, 3>;
    constexpr auto u = xg::input<"u", double, batch, 3>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto j = xg::input<"j", std::int64_t, batch, 4>;
    constexpr auto loss = xg::square(xg::gather(table, i) * u) + u * xg::square(xg::embedding_bag(table, j)) +
                          xg::sum<1>(xg::gather(xg::tanh(table), j)) + xg::sum(table);
    auto const t = test::numbers<double>({5, 3}), w = test::numbers<double>({4, 3}, -1, 1, 2);
    auto const a = ids_below<std::int32_t>({4}, 5);
    auto const b = ids_below<std::int64_t>({4, 4}, 5);
    auto const r = xg::check_gradients(loss, xg::wrt(table, u), table = t, u = w, i = a, j = b);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("indices out of range are refused before anything runs") {
    constexpr auto table = xg::input<"table", float, 4, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    auto const t = test::numbers<float>({4, 2});
    xg::function f{xg::gather(table, i)};
    for (int bad : {4, -1, 1 << 30}) CHECK_THROWS_AS(f(table = t, i = test::list<std::int32_t>({0, bad})), xg::value_error);
    // one_hot has zeros for them
    xg::function h{xg::one_hot<3>(i)};
    auto const r = h(i = test::list<std::int32_t>({-1, 3, 2}));
    CHECK(std::accumulate(r.begin(), r.end(), 0.0F) == 1);
    // also if they differ from a position only in the upper bits
    constexpr auto wide = xg::input<"wide", std::int64_t, batch>;
    xg::function w{xg::sum(xg::one_hot<3, std::int32_t>(wide))};
    CHECK(w(wide = test::list<std::int64_t>({1, (std::int64_t{1} << 32) + 1, std::int64_t{1} << 40})) == 1);
    // indices that are computed are checked as well
    xg::function g{xg::gather(table, i + 1_c)};
    CHECK_THROWS_AS(g(table = t, i = test::list<std::int32_t>({0, 3})), xg::value_error);
    CHECK(g(table = t, i = test::list<std::int32_t>({0, 2}))(1, 1) == t[7]);
}
