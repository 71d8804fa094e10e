// SPDX-License-Identifier: MIT
// Positions, triangles, bands and diagonals, compared with loops; NaN outside of what is kept; gradients.
#include <support/tensor.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};

template<class R, class T>
void check_kept(R const& y, test::tensor<T> const& a, std::int64_t m, std::int64_t n, auto keeps) {
    REQUIRE(y.size() == a.size());
    for (std::int64_t i = 0; i < a.size(); ++i) CHECK(y[i] == (keeps(i / n % m, i % n) ? a[i] : T(0)));
}
}

TEST_CASE_TEMPLATE("triangles and bands of the last two axes", T, float, std::int32_t) {
    constexpr auto x = xg::input<"x", T, batch, 5, 7>;
    xg::function f{xg::outputs(xg::tril(x), xg::tril<2>(x), xg::tril<-1>(x), xg::triu(x), xg::triu<-2>(x), xg::band_part<1, 2>(x),
        xg::band_part<-1, 0>(x), xg::band_part<-1, -1>(x))};
    for (std::int64_t b : {0, 1, 3}) {
        auto const a = test::numbers<T>({b, 5, 7}, 1, 100);
        auto const [low, lower, strict, up, upper, band, left, all] = f(x = a);
        check_kept(low, a, 5, 7, [](auto r, auto c) { return c <= r; });
        check_kept(lower, a, 5, 7, [](auto r, auto c) { return c <= r + 2; });
        check_kept(strict, a, 5, 7, [](auto r, auto c) { return c < r; });
        check_kept(up, a, 5, 7, [](auto r, auto c) { return c >= r; });
        check_kept(upper, a, 5, 7, [](auto r, auto c) { return c >= r - 2; });
        check_kept(band, a, 5, 7, [](auto r, auto c) { return r - c <= 1 && c - r <= 2; });
        check_kept(left, a, 5, 7, [](auto r, auto c) { return c <= r; });
        check_kept(all, a, 5, 7, [](auto, auto) { return true; });
    }
}

TEST_CASE("triangles of a named extent: NaN above the diagonal does no harm") {
    constexpr auto x = xg::input<"x", double, time_steps, time_steps>;
    constexpr auto y = xg::tril(x);
    xg::function f{xg::outputs(y, xg::gradient_of(xg::sum(xg::square(y)), x), xg::diag_part(x), xg::trace(x))};
    for (std::int64_t n : {1, 4, 19}) {
        auto a = test::numbers<double>({n, n});
        for (std::int64_t i = 0; i < n * n; ++i)
            if (i % n > i / n) a[i] = std::numeric_limits<double>::quiet_NaN();
        auto const [kept, slope, diagonal, trace] = f(x = a);
        double sum = 0;
        for (std::int64_t i = 0; i < n * n; ++i) {
            bool const in = i % n <= i / n;
            CHECK(kept[i] == (in ? a[i] : 0));
            CHECK(slope[i] == (in ? 2 * a[i] : 0));
            if (i % n == i / n) {
                CHECK(diagonal[i / n] == a[i]);
                sum += a[i];
            }
        }
        CHECK(trace == doctest::Approx(sum).epsilon(1e-14));
    }
}

TEST_CASE("diagonals, the identity and positions") {
    constexpr auto v = xg::input<"v", float, batch, 4>;
    constexpr auto m = xg::input<"m", float, batch, 4, 4>;
    constexpr auto n = xg::input<"n", float, time_steps>;
    xg::function f{xg::outputs(xg::diag(v), xg::diag_part(m), xg::trace(m), xg::eye<3>(), xg::eye<2, std::int64_t>(), xg::arange<5>(),
        xg::arange<3, double>() * 0.5_c, n * xg::arange<time_steps, float>(), xg::matmul(m, xg::eye<4>()))};
    auto const V = test::numbers<float>({2, 4}), M = test::numbers<float>({2, 4, 4}, -1, 1, 2), N = test::numbers<float>({6}, -1, 1, 3);
    auto const [diagonal, part, trace, eye, whole, five, halves, by_place, same] = f(v = V, m = M, n = N);
    CHECK((diagonal.shape() == std::array<std::int64_t, 3>{2, 4, 4}));
    for (int i = 0; i < 32; ++i) CHECK(diagonal[i] == (i / 4 % 4 == i % 4 ? V[i / 16 * 4 + i % 4] : 0));
    for (int b = 0; b < 2; ++b) {
        float sum = 0;
        for (int i = 0; i < 4; ++i) {
            CHECK(part[4 * b + i] == M[16 * b + 5 * i]);
            sum += M[16 * b + 5 * i];
        }
        CHECK(trace[b] == doctest::Approx(sum).epsilon(1e-6));
    }
    for (int i = 0; i < 9; ++i) CHECK(eye[i] == (i % 4 == 0));
    for (int i = 0; i < 4; ++i) CHECK(whole[i] == (i % 3 == 0));
    for (int i = 0; i < 5; ++i) CHECK(five[i] == i);
    for (int i = 0; i < 3; ++i) CHECK(halves[i] == 0.5 * i);
    for (int i = 0; i < 6; ++i) CHECK(by_place[i] == N[i] * static_cast<float>(i));
    for (int i = 0; i < 32; ++i) CHECK(same[i] == M[i]);
}

TEST_CASE("gradients of triangles and diagonals") {
    constexpr auto m = xg::input<"m", double, batch, 3, 3>;
    constexpr auto v = xg::input<"v", double, batch, 3>;
    constexpr auto loss = xg::sum(xg::square(xg::tril<1>(m))) + xg::sum(xg::sin(xg::band_part<1, 0>(m))) +
                          xg::sum(xg::square(xg::trace(m))) + xg::sum(xg::sin(xg::diag_part(m)) * v) + xg::sum(xg::square(xg::diag(v)) * m);
    auto const r =
        xg::check_gradients(loss, xg::wrt(m, v), m = test::numbers<double>({2, 3, 3}, -2, 2), v = test::numbers<double>({2, 3}, -1, 1, 2));
    CHECK_MESSAGE(r.ok, r.message);
}
