// SPDX-License-Identifier: MIT
// Segments and counts: JAX's numbers with empty segments, ties and zeros, omitted rows, ids out of range, gradients.
#include <ops/indexing_reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/index/segments.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using indexing::compare;
using indexing::given;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim groups{"groups"};
}

TEST_CASE("segments as in JAX, and their gradients") {
    constexpr auto u = xg::input<"u", double, 7, 3>;
    constexpr auto i = xg::input<"i", std::int32_t, 7>;
    constexpr auto w = xg::input<"w", double, 5, 3>;
    auto const check = [&]<class... Y>(std::string const& kind, std::vector<std::string> const& names, Y... y) {
        xg::function f{xg::outputs(y..., xg::gradient_of(xg::sum(w * y), u)...)};
        auto const r =
            f(u = given<double>("u", {7, 3}), i = given<std::int32_t>(kind + "_ids", {7}), w = given<double>("segment_w", {5, 3}));
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            std::string const prefix = kind + "_";
            (compare(prefix + names[K], std::get<K>(r)), ...);
            (compare(prefix + names[K] + ".u", std::get<sizeof...(Y) + K>(r)), ...);
        }(std::make_index_sequence<sizeof...(Y)>{});
    };
    check("segment", {"sum", "mean", "prod", "max", "min"}, xg::segment_sum<5>(u, i), xg::segment_mean<5>(u, i), xg::segment_prod<5>(u, i),
        xg::segment_max<5>(u, i), xg::segment_min<5>(u, i));
    check("unsorted", {"sum", "mean", "sqrt_n", "prod", "max", "min"}, xg::unsorted_segment_sum<5>(u, i),
        xg::unsorted_segment_mean<5>(u, i), xg::unsorted_segment_sqrt_n<5>(u, i), xg::unsorted_segment_prod<5>(u, i),
        xg::unsorted_segment_max<5>(u, i), xg::unsorted_segment_min<5>(u, i));
}
TEST_CASE("segments of a named number, of vectors and of ids with two axes; nothing is in range of no segments") {
    constexpr auto x = xg::input<"x", float, batch, 2>;
    constexpr auto g = xg::input<"g", float, groups>;   // gives groups its size
    constexpr auto i = xg::input<"i", std::int64_t, batch, 2>;
    constexpr auto k = xg::input<"k", std::int32_t, batch>;
    xg::function f{xg::outputs(xg::segment_sum<groups>(x, i), xg::unsorted_segment_sum<groups>(x, k),
        xg::unsorted_segment_max<groups>(x, k), xg::segment_max<groups>(xg::cast<std::int32_t>(x), i),
        xg::unsorted_segment_min<3>(xg::cast<std::int32_t>(x), k), xg::bincount<groups>(i), xg::bincount<groups>(k, xg::sum<1>(x)), g)};
    auto const call = [&](std::int64_t n, std::int64_t rows, auto const& values, auto const& two, auto const& one) {
        return f(x = xg::array(values.data(), rows, 2), g = test::tensor<float>({n}), i = xg::array(two.data(), rows, 2), k = one);
    };
    auto const a = test::list<float>({1, 2, 3, 4, 5, -6});
    auto const two = test::list<std::int64_t>({2, 0, 0, 2, 3, 3});
    auto const one = test::list<std::int32_t>({1, -5, 1});
    auto const [sums, omitted, largest, whole, least, counts, weights, size] = call(4, 3, a, two, one);
    for (int s = 0; s < 4; ++s) {
        CHECK(sums[s] == std::initializer_list<float>{5, 0, 5, -1}.begin()[s]);
        CHECK(whole[s] == std::initializer_list<int>{3, 0, 4, 5}.begin()[s]);
        CHECK(counts[s] == std::initializer_list<int>{2, 0, 2, 2}.begin()[s]);
        CHECK(weights[s] == (s == 1 ? 2 : 0));
        for (int c = 0; c < 2; ++c) {
            CHECK(omitted(s, c) == (s == 1 ? (c == 0 ? 6 : -4) : 0));
            CHECK(largest(s, c) == (s == 1 ? (c == 0 ? 5.0F : 2.0F) : std::numeric_limits<float>::lowest()));
            if (s < 3) CHECK(least(s, c) == (s == 1 ? (c == 0 ? 1 : -6) : INT32_MAX));
        }
    }
    // an id of the number of segments is no omitted row
    CHECK_THROWS_AS(call(4, 3, a, two, test::list<std::int32_t>({1, 4, 1})), xg::value_error);
    CHECK_THROWS_AS(call(4, 3, a, test::list<std::int64_t>({2, 0, 0, 2, 3, 4}), one), xg::value_error);
    CHECK_THROWS_AS(call(4, 3, a, test::list<std::int64_t>({2, 0, 0, -1, 3, 3}), one), xg::value_error);
    auto const empty = call(2, 0, a, two, test::tensor<std::int32_t>({0}));
    for (int s = 0; s < 2; ++s) {
        CHECK(std::get<0>(empty)[s] == 0);
        CHECK(std::get<3>(empty)[s] == 0);
        CHECK(std::get<5>(empty)[s] == 0);
    }
}
TEST_CASE("infinities and NaN of segments") {
    constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    constexpr auto x = xg::input<"x", float, 5>;
    constexpr auto i = xg::input<"i", std::int32_t, 5>;
    xg::function f{xg::outputs(xg::segment_max<4>(x, i), xg::segment_min<4>(x, i), xg::unsorted_segment_max<4>(x, i),
        xg::gradient_of(xg::sum(xg::segment_max<4>(x, i) * xg::unsorted_segment_max<4>(x, i)), x))};
    auto const [largest, least, unsorted, of_x] =
        f(x = test::list<float>({-inf, nan, 1, inf, 3}), i = test::list<std::int32_t>({0, 1, 1, 2, 2}));
    CHECK(largest[0] == -inf);
    CHECK(std::isnan(largest[1]));
    CHECK(std::isnan(least[1]));
    CHECK(largest[2] == inf);
    CHECK(least[2] == 3);
    CHECK(largest[3] == 0);
    CHECK(least[3] == 0);
    CHECK(unsorted[0] == std::numeric_limits<float>::lowest());   // TensorFlow starts with this number
    CHECK(std::isnan(unsorted[1]));
    CHECK(of_x[4] == 0);
}
TEST_CASE("rows in registers and others: runs of one segment, NaN, parts of a row that is NaN") {
    for (std::int64_t const width : {8, 19, 32, 64}) {
        auto x = test::numbers<float>({40, width});
        x[11 * width + 3] = std::numeric_limits<float>::quiet_NaN();
        test::tensor<std::int32_t> ids({40});
        for (int i = 0; i < 40; ++i) ids[i] = i < 12 ? i / 5 : i < 30 ? 4 : i % 3;   // no row of segment 3
        test::tensor<float> most({5, width}, -7), least({5, width}, -7);
        bool bad = false;
        std::vector<std::byte> used(6);
        xg::kernel_part const part{0, 1, used.data(), &bad};
        xg::tensor_view<std::int32_t const, 4> const of_ids(ids.data(), {1, 1, 40, 1});
        xg::tensor_view<float const, 4> const of_x(x.data(), {1, 1, 40, width});
        xg::op::segment_extrema<xg::combine::max>::run(part, of_ids, of_x, xg::tensor_view<float, 4>(most.data(), {1, 1, 5, width}));
        xg::op::segment_extrema<xg::combine::min>::run(part, of_ids, of_x, xg::tensor_view<float, 4>(least.data(), {1, 1, 5, width}));
        CHECK(!bad);
        bool same = true;
        for (int s = 0; s < 5; ++s)
            for (std::int64_t c = 0; c < width; ++c) {
                float high = -9, low = 9;
                bool nan = false;
                for (int i = 0; i < 40; ++i) {
                    if (ids[i] != s) continue;
                    float const e = x[i * width + c];
                    nan = nan || e != e;
                    high = std::max(high, e);
                    low = std::min(low, e);
                }
                float const a = most[s * width + c], b = least[s * width + c];
                same = same && (s == 3 ? a == 0 && b == 0 : nan ? a != a && b != b : a == high && b == low);
            }
        CHECK(same);
        ids[39] = 5;
        xg::op::segment_extrema<xg::combine::max>::run(part, of_ids, of_x, xg::tensor_view<float, 4>(most.data(), {1, 1, 5, width}));
        CHECK(bad);
    }
}
TEST_CASE("sums of rows in registers: runs that are longer than a float adds, of few segments and of many") {
    constexpr auto x = xg::input<"x", float, 300, 8>;
    constexpr auto i = xg::input<"i", std::int32_t, 300>;
    xg::function f{xg::outputs(xg::segment_sum<5>(x, i), xg::segment_sum<2000>(x, i))};
    auto const values = test::numbers<float>({300, 8}, 1, 2);
    test::tensor<std::int32_t> ids({300});
    std::vector<double> expected(5 * 8);
    for (int k = 0; k < 300; ++k) {
        ids[k] = k < 150 ? 2 : k < 220 ? k % 2 : k < 290 ? 4 : 2;
        for (int c = 0; c < 8; ++c) expected[static_cast<std::size_t>(ids[k] * 8 + c)] += static_cast<double>(values[k * 8 + c]);
    }
    auto const [few, many] = f(x = values, i = ids);
    bool close = true, none = true;
    for (int k = 0; k < 40; ++k) {
        double const e = expected[static_cast<std::size_t>(k)];
        close = close && std::fabs(few[k] - e) <= 2e-7 * e && few[k] == many[k];
    }
    for (int k = 40; k < 16000; ++k) none = none && many[k] == 0;
    CHECK(close);
    CHECK(none);
}
TEST_CASE("counts and histograms") {
    auto const values = given<double>("histogram_of", {8});
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto high = xg::input<"high", double>;
    constexpr auto y = xg::input<"y", float, batch, 2>;
    xg::function f{xg::outputs(xg::histogram_fixed_width<5>(x, 0_c, 5_c), xg::histogram_fixed_width<1>(x, 0_c, high),
        xg::histogram_fixed_width<3>(y, 0.5_c, 2_c), xg::bincount<0>(xg::cast<std::int32_t>(x)))};
    test::tensor<float> pairs({8, 2}, std::numeric_limits<float>::quiet_NaN());
    pairs[0] = std::numeric_limits<float>::infinity();
    pairs[1] = -std::numeric_limits<float>::infinity();
    pairs[2] = 1;
    auto const [five, all, three, none] = f(x = values, high = 5.0, y = pairs);
    compare("histogram", five);
    CHECK(all[0] == 8);
    for (int k = 0; k < 3; ++k) CHECK(three[k] == 1);
    CHECK(none.size() == 0);
    // the kernel alone
    test::tensor<std::int64_t> const ids = test::list<std::int64_t>({3, -1, 3, INT64_MAX, 0, INT64_MIN, 4});
    test::tensor<std::int32_t> counts({4}, -7);
    xg::op::bincount::run<std::int64_t>({0, 1, nullptr, nullptr}, xg::tensor_view<std::int64_t const, 1>(ids.data(), {7}),
        xg::tensor_view<std::int32_t, 1>(counts.data(), {4}));
    for (int k = 0; k < 4; ++k) CHECK(counts[k] == (k == 3 ? 2 : k == 0 ? 1 : 0));
    // many ids of few numbers
    test::tensor<std::int32_t> many({43}), three_counts({3}, -7);
    for (int j = 0; j < 43; ++j) many[j] = j % 7 - 2;
    xg::op::bincount::run<std::int32_t>({0, 1, nullptr, nullptr}, xg::tensor_view<std::int32_t const, 1>(many.data(), {43}),
        xg::tensor_view<std::int32_t, 1>(three_counts.data(), {3}));
    for (int k = 0; k < 3; ++k) CHECK(three_counts[k] == 6);
}
TEST_CASE_TEMPLATE("gradients of segments, and gradients of them", T, float, double) {
    constexpr auto x = xg::input<"x", T, 6, 2>;
    constexpr auto v = xg::input<"v", T, 6>;
    constexpr auto i = xg::input<"i", std::int32_t, 6>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto loss =
        all(xg::unsorted_segment_prod<3>(x, i)) + all(xg::unsorted_segment_sqrt_n<3>(x, i)) +
        all(xg::select(xg::less(xg::abs(xg::unsorted_segment_min<3>(v, i)), 100_c), xg::unsorted_segment_min<3>(v, i), 0_c)) +
        all(xg::bincount<2>(i, v));
    auto a = test::numbers<T>({6, 2}, -2, 2);
    auto const b = test::numbers<T>({6}, -2, 2, 2);
    auto const rows = test::list<std::int32_t>({2, 0, -1, 2, 2, 0});
    if constexpr (std::is_same_v<T, float>) {
        auto const r = xg::check_gradients(loss, xg::wrt(x, v), x = a, v = b, i = rows);
        CHECK_MESSAGE(r.ok, r.message);
    } else {
        constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, x))) + xg::sum(xg::square(xg::gradient_of(loss, v)));
        for (int zeros = 0; zeros < 3; ++zeros) {
            if (zeros > 0) a[zeros == 1 ? 0 : 6] = 0;
            auto const r = xg::check_gradients(loss + twice, xg::wrt(x, v), x = a, v = b, i = rows);
            CHECK_MESSAGE(r.ok, r.message);
        }
    }
}
