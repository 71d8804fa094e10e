// SPDX-License-Identifier: MIT
// sort and argsort against std::stable_sort; NaN, zeros of both signs and ties; gradients.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

template<class T>
void check(test::tensor<T> const& in) {
    constexpr auto x = xg::input<"x", T, batch, length>;
    auto const [values, indices] = xg::sort(x);
    xg::function f{xg::outputs(values, indices, xg::argsort(x))};
    auto const [v, i, alone] = f(x = in);
    std::int64_t const rows = in.shape()[0], n = in.shape()[1];
    REQUIRE((v.shape() == std::array<std::int64_t, 2>{rows, n} && i.shape() == v.shape()));
    for (std::int64_t r = 0; r < rows; ++r) {
        std::vector<std::int64_t> at(static_cast<std::size_t>(n));
        std::iota(at.begin(), at.end(), r * n);
        std::stable_sort(at.begin(), at.end(), [&](auto a, auto b) { return in[a] < in[b] || (in[a] == in[a] && in[b] != in[b]); });
        for (std::int64_t k = 0; k < n; ++k) {
            std::int64_t const e = at[static_cast<std::size_t>(k)];
            CHECK(i[r * n + k] == e - r * n);
            CHECK(alone[r * n + k] == e - r * n);
            CHECK((v[r * n + k] == in[e] || (v[r * n + k] != v[r * n + k] && in[e] != in[e])));
        }
    }
}
}

TEST_CASE_TEMPLATE("sort against std::stable_sort", T, float, double, std::int32_t, std::int64_t) {
    for (std::int64_t rows : {0, 1, 3})
        for (std::int64_t n : {0, 1, 2, 16, 17, 100}) check(test::numbers<T>({rows, n}, -9, 9));   // integers have ties
}

TEST_CASE("sort of ties, NaN, infinities and zeros of both signs") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    test::tensor<float> x({4, 6});
    float const rows[4][6]{
        {1, 2, 2, 2, 1, 2}, {nan, 1, nan, inf, -inf, 0}, {-0.0F, 0.0F, -0.0F, 0.0F, -1, -0.0F}, {-inf, -inf, nan, -inf, 0, -inf}};
    for (std::int64_t i = 0; i < x.size(); ++i) x[i] = rows[i / 6][i % 6];
    check(x);
}

TEST_CASE("the gradient of sorted values goes back to where they stood") {
    constexpr auto x = xg::input<"x", double, batch, length>;
    constexpr auto w = xg::input<"w", double, length>;
    auto const [values, indices] = xg::sort(xg::square(x) * x);
    auto const loss = xg::sum(values * values * w);
    auto const both = loss + xg::sum(xg::square(xg::gradient_of(loss, x)));
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::sum(xg::cast<float>(indices)), x))>);
    for (std::int64_t n : {1, 7}) {
        auto const r = xg::check_gradients(both, xg::wrt(x, w), x = test::numbers<double>({3, n}, 0.5, 2), w = test::numbers<double>({n}));
        CHECK_MESSAGE(r.ok, r.message);
    }
    xg::function g{xg::gradient_of(xg::sum(std::get<0>(xg::sort(x)) * w), x)};
    auto const slope = g(x = test::tensor<double>({1, 3}, 5.0), w = test::list({1.0, 2.0, 3.0}));   // ties: in the order of x
    for (std::int64_t i = 0; i < 3; ++i) CHECK(slope[i] == static_cast<double>(i + 1));
}
