// SPDX-License-Identifier: MIT
// The other way round: every element type, every axis, empty and single ones, gradients.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim rows{"rows"};
}

TEST_CASE_TEMPLATE("flip of every axis", T, float, double, std::int32_t, std::int64_t, bool) {
    constexpr auto x = xg::input<"x", T, batch, 3, rows>;
    xg::function f{xg::outputs(xg::flip<0>(x), xg::flip<1>(x), xg::flip<-1>(x), xg::flip<2, 0>(x), xg::flip(x))};
    int const axes[]{1, 2, 4, 5, 7};
    for (std::int64_t b : {0, 1, 4})
        for (std::int64_t n : {0, 1, 2, 17}) {
            test::tensor<T> a({b, 3, n});
            for (std::int64_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(std::is_same_v<T, bool> ? i * 7 % 3 == 0 : i - 20);
            std::size_t k = 0;
            std::apply(
                [&](auto const&... r) {
                    auto const check = [&](auto const& y) {
                        int const flipped = axes[k++];
                        REQUIRE((y.shape() == std::array<std::int64_t, 3>{b, 3, n}));
                        int wrong = 0;
                        for (std::int64_t i = 0; i < a.size(); ++i) {
                            std::int64_t const size[]{b, 3, n};
                            std::int64_t at[]{i / (3 * n), i / n % 3, i % n};
                            for (int d = 0; d < 3; ++d)
                                if ((flipped >> d & 1) != 0) at[d] = size[d] - 1 - at[d];
                            wrong += static_cast<T>(y[i]) != a[(at[0] * 3 + at[1]) * n + at[2]];
                        }
                        CHECK(wrong == 0);
                    };
                    (check(r), ...);
                },
                f(x = a));
        }
}

TEST_CASE_TEMPLATE("views and flip keep elements of 16 bits", T, xg::bfloat16, xg::float16) {
    constexpr auto x = xg::input<"x", T, batch, 3>;
    constexpr auto is = []<class Y>(Y) { return xg::value_of<Y>.type == xg::dtype_of<T>; };
    static_assert(is(xg::flip(x)) && is(xg::flip<1>(xg::transpose(x))) && is(xg::reshape<3, batch>(x)) && is(xg::slice<1, 1, 3>(x)) &&
                  is(xg::concat<1>(x, x)) && is(xg::expand_dims<0>(x)) && is(xg::stop_gradient(x)) &&
                  is(xg::broadcast_to<2, batch, 3>(x)) && is(xg::gather(x, xg::input<"ids", std::int32_t, rows>)) &&
                  is(std::get<0>(xg::sort(x))) && is(std::get<0>(xg::top_k<2>(x))) && is(xg::squeeze<0>(xg::expand_dims<0>(x))) &&
                  is(xg::select(x > 0_c, x, xg::flip(x))) && !is(xg::select(x > 0_c, x, 0_c)));
    std::vector<T> in;
    for (int i = 0; i < 6; ++i) in.push_back(T(static_cast<float>(i)));
    xg::function f{xg::outputs(xg::flip<1>(x), xg::gradient_of(xg::sum(xg::flip<1>(x) * xg::cast<float>(xg::flip<0>(x))), x))};
    auto const [y, g] = f(x = xg::array(in, 2, 3));
    float const expected[]{2, 1, 0, 5, 4, 3}, slope[]{10, 8, 6, 4, 2, 0};
    for (int i = 0; i < 6; ++i) {
        CHECK(static_cast<float>(y[i]) == expected[i]);
        CHECK(g[i] == slope[i]);
    }
}

TEST_CASE_TEMPLATE("sort, top_k and select keep elements of 16 bits, and gradients pass", T, xg::bfloat16, xg::float16) {
    constexpr auto x = xg::input<"x", T, batch, 4>;
    constexpr auto w = xg::input<"w", float, 4>;
    constexpr auto values = std::get<0>(xg::sort(x));
    constexpr auto best = std::get<0>(xg::top_k<2>(x));
    constexpr auto chosen = xg::select(x > 1_c, x, values);
    std::vector<T> in;
    for (float const e : {3.0F, -1.0F, 2.0F, 0.5F, std::numeric_limits<float>::quiet_NaN(), 4.0F, 1.0F, 4.0F}) in.push_back(T(e));
    xg::function f{xg::outputs(values, std::get<1>(xg::sort(x)), best, std::get<1>(xg::top_k<2>(x)), chosen,
        xg::gradient_of(xg::sum(values * w), x), xg::gradient_of(xg::sum(best), x), xg::gradient_of(xg::sum(chosen * w), x))};
    auto const [v, vi, b, bi, c, dv, db, dc] = f(x = xg::array(in, 2, 4), w = std::vector<float>{1, 10, 100, 1000});
    float const sorted[]{-1, 0.5, 2, 3, 1, 4, 4}, largest[]{3, 2}, mixed[]{3, 0.5, 2, 3, 1, 4, 4, 4};
    std::int32_t const places[]{1, 3, 2, 0, 2, 1, 3, 0}, best_places[]{0, 2, 0, 1};
    float const slope[]{1000, 1, 100, 10, 1000, 10, 1, 100}, best_slope[]{1, 0, 1, 0, 1, 1, 0, 0},
        mixed_slope[]{1001, 0, 100, 10, 0, 10, 1, 1100};
    for (int i = 0; i < 7; ++i) CHECK(static_cast<float>(v[i]) == sorted[i]);
    CHECK(std::isnan(static_cast<float>(v[7])));
    for (int i = 0; i < 2; ++i) CHECK(static_cast<float>(b[i]) == largest[i]);
    CHECK(std::isnan(static_cast<float>(b[2])));
    for (int i = 0; i < 4; ++i) CHECK(bi[i] == best_places[i]);
    for (int i = 0; i < 8; ++i) {
        CHECK(vi[i] == places[i]);
        CHECK(static_cast<float>(c[i]) == mixed[i]);
        CHECK(dv[i] == slope[i]);
        CHECK(db[i] == best_slope[i]);
        CHECK(dc[i] == mixed_slope[i]);
    }
}

TEST_CASE("flip of a number, twice, of an expression, in a product") {
    constexpr auto s = xg::input<"s", float>;
    constexpr auto x = xg::input<"x", double, batch, 3>;
    CHECK(xg::function{xg::flip(s)}(s = 2.0F) == 2);
    auto const a = test::numbers<double>({4, 3});
    auto const back = xg::function{xg::flip<1>(xg::flip<0>(xg::flip(x)))}(x = a);
    for (std::int64_t i = 0; i < a.size(); ++i) CHECK(back[i] == a[i]);
    auto const r = xg::function{xg::matmul<true>(xg::flip<0>(2_c * x), xg::flip<0>(x))}(x = a);
    auto const same = xg::function{xg::matmul<true>(2_c * x, x)}(x = a);
    for (std::int64_t i = 0; i < r.size(); ++i) CHECK(r[i] == doctest::Approx(same[i]));
}

TEST_CASE("gradients of flip") {
    constexpr auto x = xg::input<"x", double, batch, 2, 3>;
    constexpr auto w = xg::input<"w", double, 2, 3>;
    auto const loss = xg::sum(xg::flip<0, 2>(xg::exp(x)) * xg::square(xg::flip<1>(x)) * w);
    auto const both = loss + xg::sum(xg::square(xg::gradient_of(loss, x)));
    auto const r = xg::check_gradients(both, xg::wrt(x, w), x = test::numbers<double>({3, 2, 3}), w = test::numbers<double>({2, 3}));
    CHECK_MESSAGE(r.ok, r.message);
}
