// SPDX-License-Identifier: MIT
// What is known of an operation comes from its properties: products that round or saturate, and operands that hold indices.
#include "along_the_lanes.hpp"

#include <algorithm>

namespace {
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
}

namespace {
// The saturating product of the fault that this file is about: at most 1.
struct saturating_mul : xg::elementwise_op {
    static constexpr std::string_view name = "mul";
    static auto value(auto a, auto b) { return xg::math::min(a * b, decltype(a)(1)); }
};
inline constexpr xg::elementwise<saturating_mul> saturating{};
// 2 a b and 3 a b say that they are products.
template<int K>
struct scaled_product : xg::elementwise_op {
    static constexpr std::string_view name = "scaled_product";
    static constexpr bool multilinear = true;
    static auto value(auto a, auto b) { return decltype(a)(K) * a * b; }
};
template<int K>
inline constexpr xg::elementwise<scaled_product<K>> scaled{};
// The position of the label's element among 4 x elements: says that labels stay below 4 x as long as the first operand.
struct labelled_op : xg::row_op {
    static constexpr std::string_view name = "labelled";
    static constexpr xg::index_bound indices{.operand = 2, .of = 1, .axis = -1};
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        --r.dims.rank;
        return r;
    }
    static void row(std::span<float const>, std::span<float const> z, std::span<std::int32_t const> i, std::span<float> out) {
        out[0] = z[static_cast<std::size_t>(i[0])];
    }
};
inline constexpr xg::row_function<labelled_op> labelled{};
}

TEST_CASE("two operations of one name in kernels of one structure") {
    auto const a = test::list<float>({1, 2, 3, 4, 5});
    constexpr auto v = xg::input<"v", float, 5>;
    xg::function f{saturating(v * saturating(v, v), v)};
    xg::function g{(v * saturating(v, v)) * v};
    xg::function h{saturating(v * v, v) * v};
    auto const rf = f(v = a), rg = g(v = a), rh = h(v = a);
    for (std::int64_t i = 0; i < 5; ++i) {
        float const e = a[i], s = std::min(e * e, 1.0f);
        CHECK(rf[i] == std::min(e * s * e, 1.0f));
        CHECK(rg[i] == e * s * e);
        CHECK(rh[i] == std::min(e * e * e, 1.0f) * e);
    }
}

TEST_CASE_FIXTURE(
    along_the_lanes, "factors come out of sums of any product, of one kind at a time; a saturating product called mul is none") {
    constexpr auto s = xg::square(share);
    xg::function f{xg::outputs(xg::sum<0>(scaled<2>(q, s)), xg::sum<0>(scaled<2>(q, scaled<2>(s, m))),
        xg::sum<0>(scaled<2>(q, scaled<3>(s, q))), xg::sum<0>(q * scaled<3>(-(s * q), share)),
        xg::sum<0>(scaled<2>(q * share, scaled<3>(q, s))), xg::sum<0>(saturating(q, share * share + 0.5_c)))};
    auto const [r0, r1, r2, r3, r4, r5] = f(z = of_z, m = of_m, q = of_q);
    compare(r0, [](double a, double b) { return 2 * a * b * b; });
    compare(r2, [](double a, double b) { return 6 * a * a * b * b; });
    compare(r3, [](double a, double b) { return -3 * a * a * b * b * b; });
    compare(r4, [](double a, double b) { return 6 * a * a * b * b * b; });
    compare(r5, [](double a, double b) { return std::min(a * (b * b + 0.5), 1.0); });
    for (std::int64_t i = 0; i < 7; ++i)
        for (std::int64_t j = 0; j < 5; ++j)
            CHECK(
                r1(i, j) == doctest::Approx(sum(i, j, [&](double a, double b) { return 4 * a * b * b * of_m[i * 5 + j]; })).epsilon(1e-4));
}

TEST_CASE("an operation says which operand holds indices") {
    auto const a = test::numbers<float>({2, 3}), c = test::numbers<float>({2, 12}, -1, 1, 2);
    constexpr auto short_row = xg::input<"short", float, batch, 3>;
    constexpr auto long_row = xg::input<"long", float, batch, 12>;
    xg::function f{labelled(short_row, long_row, ids)};
    auto const r = f(short_row = a, long_row = c, ids = std::vector<std::int32_t>{11, 0});
    CHECK(r[0] == c[11]);
    CHECK(r[1] == c[12]);
    CHECK_THROWS_AS(f(short_row = a, long_row = c, ids = std::vector<std::int32_t>{12, 0}), xg::value_error);
    CHECK_THROWS_AS(f(short_row = a, long_row = c, ids = std::vector<std::int32_t>{3, -1}), xg::value_error);
}
