// SPDX-License-Identifier: MIT
// Reshape, axes of extent 1, broadcast_to, transposes, slices, concatenation, stop_gradient.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch, 3, 4>;
constexpr auto y = xg::input<"y", double, batch, 2, 4>;
constexpr auto c = xg::input<"c", double, batch, 1>;
}

TEST_CASE("values of views") {
    xg::function f{xg::outputs(xg::reshape<3, batch, 4>(x), xg::reshape<12, batch>(x), xg::transpose<2, 0, 1>(x),
        xg::transpose<1, 0, 2>(xg::exp(x)), xg::slice<1, 1, 3>(x), xg::slice<-1, 0, 1>(x), xg::concat<1>(x, y),
        xg::squeeze<2>(xg::slice<2, 3, 4>(x)), xg::expand_dims<-1>(x))};
    xg::function g{xg::outputs(xg::broadcast_to<2, batch, 3>(c), xg::squeeze<-1>(c), xg::expand_dims<0>(c), xg::slice<1, 0, 0>(c))};
    for (std::int64_t n : {5, 1, 0}) {
        CAPTURE(n);
        auto const a = test::numbers<double>({n, 3, 4}), b = test::numbers<double>({n, 2, 4}, -1, 1, 2), d = test::numbers<double>({n, 1});
        auto const [r, s, t, e, v, w, k, q, z] = f(x = a, y = b);
        CHECK(r.shape() == std::array<std::int64_t, 3>{3, n, 4});
        CHECK(s.shape() == std::array<std::int64_t, 2>{12, n});
        CHECK(z.shape() == std::array<std::int64_t, 4>{n, 3, 4, 1});
        for (std::int64_t i = 0; i < a.size(); ++i) CHECK((r[i] == a[i] && s[i] == a[i] && z[i] == a[i]));
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < 3; ++j)
                for (std::int64_t l = 0; l < 4; ++l) {
                    double const here = a[(i * 3 + j) * 4 + l];
                    CHECK(t(l, i, j) == here);
                    CHECK(e(j, i, l) == doctest::Approx(std::exp(here)).epsilon(1e-14));
                    if (j > 0) CHECK(v(i, j - 1, l) == here);
                    if (l == 0) CHECK(w(i, j, 0) == here);
                    if (l == 3) CHECK(q(i, j) == here);
                    CHECK(k(i, j, l) == here);
                    if (j < 2) CHECK(k(i, j + 3, l) == b[(i * 2 + j) * 4 + l]);
                }
        auto const [big, vector, front, empty] = g(c = d);
        CHECK(empty.shape() == std::array<std::int64_t, 2>{n, 0});
        CHECK(front.shape() == std::array<std::int64_t, 3>{1, n, 1});
        for (std::int64_t i = 0; i < n; ++i) {
            CHECK(vector[i] == d[i]);
            CHECK(front[i] == d[i]);
            for (std::int64_t j = 0; j < 6; ++j) CHECK(big(j / 3, i, j % 3) == d[i]);
        }
    }
}

TEST_CASE("gradients of views against finite differences") {
    auto const a = test::numbers<double>({3, 3, 4}), b = test::numbers<double>({3, 2, 4}, -1, 1, 2), d = test::numbers<double>({3, 1});
    constexpr auto joined = xg::concat<1>(xg::square(x), y, xg::slice<1, 0, 2>(x));
    constexpr auto loss =
        xg::square(xg::sum<1>(joined * xg::concat<1>(x, xg::exp(x), xg::slice<1, 1, 2>(x)))) + xg::broadcast_to<batch, 4>(c);
    auto const r = xg::check_gradients(loss, xg::wrt(x, y, c), x = a, y = b, c = d);
    CHECK_MESSAGE(r.ok, r.message);
    constexpr auto turned = xg::transpose<2, 0, 1>(xg::tanh(x));
    constexpr auto second = xg::sum(xg::square(turned) * xg::reshape<4, batch, 3>(x)) +
                            xg::sum(xg::squeeze<1>(xg::slice<1, 1, 2>(x)) * xg::squeeze<1>(xg::slice<1, 0, 1>(x)));
    auto const s = xg::check_gradients(second, xg::wrt(x), x = a);
    CHECK_MESSAGE(s.ok, s.message);
    auto const t = xg::check_gradients(xg::sum<0, 1>(xg::mean<1>(xg::square(xg::expand_dims<1>(c) * x))), xg::wrt(x, c), x = a, c = d);
    CHECK_MESSAGE(t.ok, t.message);
}

TEST_CASE("C8 stop_gradient lets the value through and no gradient") {
    constexpr auto v = xg::input<"v", double, batch>;
    constexpr auto w = xg::input<"w", double, batch>;
    constexpr auto p = xg::stop_gradient(xg::square(v)) * w * v;
    static_assert(std::is_same_v<decltype(xg::gradient_of(xg::stop_gradient(v), v)), xg::none>);
    xg::function f{xg::outputs(p, xg::gradient_of(p, v), xg::gradient_of(p, w))};
    auto const a = test::list({2.0, 3.0}), b = test::list({5.0, 7.0});
    auto const [value, gv, gw] = f(v = a, w = b);
    CHECK((value[0] == 40 && gv[0] == 20 && gw[0] == 8 && gv[1] == 63 && gw[1] == 27));
}
