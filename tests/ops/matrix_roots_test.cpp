// SPDX-License-Identifier: MIT
// Matrix roots, isotonic regression and projected images compared with TensorFlow (tests/reference/sparse_tensors.py). Second derivatives
// by finite differences, matrices without a root.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/images/projective.hpp>
#include <xgrad/ops/linalg/square_root.hpp>
#include <xgrad/ops/over_axes/isotonic.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using from_tensorflow::compare;
using from_tensorflow::known;
inline constexpr xg::dim rows{"rows"};

constexpr auto a = xg::input<"a", double, 2, 4, 4>;
constexpr auto x = xg::input<"x", double, rows, 8>;
constexpr auto image = xg::input<"image", float, 2, 5, 6, 2>;
constexpr auto maps = xg::input<"maps", float, 2, 8>;

template<class Y, class X>
constexpr auto slope(Y const& y, X const& operand) {
    constexpr xg::extent size = xg::value_of<Y>.dims.size();
    auto const weights = 0.1_c * (1_c + xg::cast<xg::cpp_type_t<xg::value_of<Y>.type>>(xg::detail::positions_along<size>{}));
    return xg::gradient_of(xg::sum(weights * xg::detail::reshaped_to<xg::shape{1, {size}}>(y)), operand);
}
}

TEST_CASE("roots of matrices") {
    constexpr auto y = xg::sqrtm(a);
    xg::function f{xg::outputs(y, slope(y, a), xg::sqrtm(xg::cast<float>(a)), slope(1e9_c * y, a))};
    auto A = known<double>("sparse:a", {2, 4, 4});
    {
        auto const [root, g, of_float, of_large] = f(a = A);
        compare("sparse:sqrtm", root.data(), root.size(), 1e-12);
        compare("sparse:sqrtm.a", g.data(), g.size(), 1e-11);
        compare("sparse:sqrtm", of_float.data(), of_float.size(), 1e-6);
        for (std::int64_t i = 0; i < g.size(); ++i) CHECK(of_large[i] == doctest::Approx(1e9 * g[i]).epsilon(1e-9));
    }
    double const scales[]{1e-12, 1, 1e12};
    for (double const scale : scales) {   // a triangular matrix whose root is known: [[1, 2], [0, 3]]² = [[1, 8], [0, 9]]
        double const m[]{scale, 8 * scale, 0, 9 * scale};
        double root[4], work[20];
        std::int32_t pivots[2];
        xg::detail::loops::square_root(m, root, work, pivots, 2);
        double const e[]{1, 2, 0, 3};
        for (int k = 0; k < 4; ++k) CHECK(root[k] == doctest::Approx(e[k] * std::sqrt(scale)).epsilon(1e-12));
    }
    double const nan = std::numeric_limits<double>::quiet_NaN();
    double const without[][4]{
        {0, 0, 0, 0}, {-1, 0, 0, 2}, {-2e14, 0, 0, 2}, {-3, 1e9, 0, 4}, {nan, 0, 0, 1}, {0, 1, 0, 0}, {HUGE_VAL, 0, 0, 1}};
    for (auto const& m : without) {
        double root[4], work[20];
        std::int32_t pivots[2];
        xg::detail::loops::square_root(m, root, work, pivots, 2);
        for (double const e : root) CHECK(std::isnan(e));
    }
    double const turn[]{0, -1, 1, 0};   // a rotation by a right angle: its root is one by half of it
    double root[4], work[20];
    std::int32_t pivots[2];
    xg::detail::loops::square_root(turn, root, work, pivots, 2);
    for (int k = 0; k < 4; ++k) CHECK(root[k] == doctest::Approx(k == 1 ? -std::sqrt(0.5) : std::sqrt(0.5)));
}

TEST_CASE("isotonic regression") {
    constexpr auto up = std::get<0>(xg::isotonic_regression<false>(x));
    constexpr auto down = std::get<0>(xg::isotonic_regression(x));
    xg::function f{xg::outputs(up, slope(up, x), down, slope(down, x), std::get<1>(xg::isotonic_regression<false>(x)))};
    auto const [y, g, z, h, blocks] = f(x = known<double>("sparse:scores", {3, 8}));
    compare("sparse:isotonic", y.data(), y.size(), 1e-14);
    compare("sparse:isotonic.x", g.data(), g.size(), 1e-14);
    compare("sparse:isotonic_decreasing", z.data(), z.size(), 1e-14);
    compare("sparse:isotonic_decreasing.x", h.data(), h.size(), 1e-14);
    int const of_first[]{0, 0, 1, 2, 2, 2, 2, 2};
    for (int k = 0; k < 8; ++k) CHECK((blocks(0, k) == of_first[k] && blocks(1, k) == k && blocks(2, k) == 0));
    test::tensor<double> nan({1, 8}, 1);
    nan[3] = std::numeric_limits<double>::quiet_NaN();
    nan[4] = 2;
    auto const falls = std::get<2>(f(x = nan));
    CHECK((falls[0] == 1 && std::isnan(falls[3]) && falls[4] == 2 && falls[5] == 1));
}

// The gradients are in the next test: TensorFlow's are those of the inverse map.
TEST_CASE("images through projective maps") {
    constexpr auto linear = xg::projective_transform<4, 7>(image, maps);
    constexpr auto nearest = xg::projective_transform<4, 7, xg::interpolation::nearest>(image, maps);
    xg::function f{xg::outputs(linear, nearest)};
    auto const [y, z] = f(image = known<float>("sparse:image", {2, 5, 6, 2}), maps = known<float>("sparse:transforms", {2, 8}));
    compare("sparse:projected_bilinear", y.data(), y.size(), 1e-5);
    auto const e = known<float>("sparse:projected_nearest", {2, 4, 7, 2});
    // TensorFlow rounds ties in another way: two places of the first map, and most of the second one.
    for (std::int64_t k = 0; k < 56; ++k)
        if (k / 2 != 18 && k / 2 != 27) CHECK(z.data()[k] == e[k]);
}

TEST_CASE("gradients of roots, of isotonic regression and of projected images, and gradients of them") {
    constexpr auto q = xg::input<"q", double, 3, 3>;
    constexpr auto p = xg::input<"p", double, 1, 4, 4, 1>;
    constexpr auto t = xg::input<"t", double, 1, 8>;
    constexpr auto root = xg::sqrtm(q);
    constexpr auto level = std::get<0>(xg::isotonic_regression(x));
    constexpr auto loss =
        xg::sum(xg::sin(root) * root) + xg::sum(xg::exp(level)) + xg::sum(xg::square(xg::projective_transform<3, 3>(p, t)));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, q))) + xg::sum(xg::square(xg::gradient_of(loss, x)));
    auto const Q = test::list<double>({4, 1, 0.5, -0.5, 3, 0.25, 1, -1, 5});
    auto const r = xg::check_gradients(loss + twice, xg::wrt(q, x, p, t), q = xg::array(Q.data(), 3, 3),
        x = test::numbers<double>({2, 8}, -2, 2), p = test::numbers<double>({1, 4, 4, 1}, -1, 1, 5),
        t = xg::array(test::list<double>({0.83, 0.11, 0.13, -0.07, 0.91, 0.17, 0.01, 0.02}).data(), 1, 8));
    CHECK_MESSAGE(r.ok, r.message);
}
