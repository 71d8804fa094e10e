// SPDX-License-Identifier: MIT
// Curves, covariances, several quantiles, sequences and bits compared with NumPy. tests/reference/curves.py. Gradients by differences.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/index/scatter.hpp>
#include <xgrad/ops/over_axes/cumulative.hpp>
#include <xgrad/ops/over_axes/curves.hpp>
#include <xgrad/ops/products/covariance.hpp>
#include <xgrad/ops/shapes/sequences.hpp>
#include <xgrad/ops/special/bits.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <bit>
#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim points{"points"};

test::tensor<double> known(std::string const& name, std::vector<std::int64_t> shape) {
    static auto const all = test::read_reference("curves.txt");
    test::tensor<double> r(std::move(shape));
    std::vector<double> const& numbers = all.at(name);
    REQUIRE(static_cast<std::int64_t>(numbers.size()) == r.size());
    std::copy(numbers.begin(), numbers.end(), r.data());
    return r;
}
template<class R>
void check_known(std::string const& name, R const& result, double tolerance = 1e-14) {
    auto const e = known(name, {result.size()});
    for (std::int64_t i = 0; i < result.size(); ++i) {
        CAPTURE(name);
        CAPTURE(i);
        CHECK((std::isnan(e[i]) ? std::isnan(result[i]) : std::abs(result[i] - e[i]) <= tolerance * std::max(1.0, std::abs(e[i]))));
    }
}
template<class R>
void is(R const& found, std::vector<double> const& expected) {
    REQUIRE(found.size() == static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(static_cast<double>(found[static_cast<std::int64_t>(i)]) == expected[i]);
}
constexpr auto x = xg::input<"x", double, batch>;
constexpr auto xs = xg::input<"xs", double, points>;
constexpr auto ys = xg::input<"ys", double, points>;
constexpr auto p = xg::input<"p", double, 4>;
constexpr auto y = xg::input<"y", double, 3, 5>;
constexpr auto at = xg::input<"at", double, 5>;
}

TEST_CASE("curves, covariances and quantiles are NumPy's") {
    xg::function f{xg::outputs(xg::interp(x, xs, ys), xg::polyval(p, y), xg::vander<4>(at), xg::trapezoid(y), xg::trapezoid<1>(y, at),
        xg::cov(y), xg::cov<0>(y), xg::corrcoef(y), xg::cov(at), xg::corrcoef(at), xg::quantile<1>(y, 0_c, 0.3_c, 0.5_c, 1_c))};
    test::tensor<double> places({5});
    double const numbers[]{0, 1, 1.5, 4, 4.25};
    std::copy(std::begin(numbers), std::end(numbers), places.data());
    auto const Y = known("y", {3, 5});
    auto const r = f(x = known("x", {13}), xs = known("xs", {6}), ys = known("ys", {6}), p = known("p", {4}), y = Y, at = places);
    check_known("interp", std::get<0>(r));
    check_known("polyval", std::get<1>(r));
    check_known("trapezoid", std::get<3>(r));
    check_known("trapezoid_of", std::get<4>(r));
    check_known("cov", std::get<5>(r));
    check_known("cov0", std::get<6>(r));
    check_known("corrcoef", std::get<7>(r));
    CHECK(std::get<9>(r) == 1);
    REQUIRE(std::get<10>(r).shape() == std::array<std::int64_t, 2>{4, 3});
    check_known("quantiles", std::get<10>(r));
    std::copy(Y.data(), Y.data() + 5, places.data());
    auto const s = f(x = known("x", {13}), xs = test::tensor<double>({2}, 1), ys = test::tensor<double>({2}, 7), p = known("p", {4}), y = Y,
        at = places);
    check_known("vander", std::get<2>(s));
    CHECK(std::get<8>(s) == doctest::Approx(known("variance", {1})[0]).epsilon(1e-14));
    for (std::int64_t i = 0; i < 12; ++i) CHECK(std::get<0>(s)[i] == 7);
}

TEST_CASE("gradients of curves and covariances") {
    auto const loss = xg::sum(xg::sin(xg::interp(x, xs, ys))) + xg::sum(xg::sin(xg::polyval(p, y))) + xg::sum(xg::sin(xg::vander<3>(at))) +
                      xg::sum(xg::sin(xg::trapezoid<0>(y))) + xg::sum(xg::sin(xg::trapezoid<1>(y, at))) + xg::sum(xg::sin(xg::cov(y))) +
                      xg::sum(xg::square(xg::corrcoef(y))) + xg::sum(xg::sin(xg::quantile<1>(y, 0.2_c, 0.7_c))) +
                      xg::sum(xg::logspace<3>(xg::sum(0.1_c * at), 1_c));
    auto const A = test::numbers<double>({4}, -1, 1, 2);
    auto const Y = test::numbers<double>({3, 5}, -1, 1, 3), P = test::numbers<double>({5}, -1, 1, 4),
               Q = test::numbers<double>({4}, -1, 1, 5);
    test::tensor<double> X({6}), places({4});
    for (int i = 0; i < 6; ++i) X[i] = 0.37 * i - 0.3;
    for (int i = 0; i < 4; ++i) places[i] = 0.5 * i;
    auto const r =
        xg::check_gradients(loss, xg::wrt(x, xs, ys, p, y, at), {.tolerance = 1e-7}, x = X, xs = places, ys = A, p = Q, y = Y, at = P);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("sequences, positions of extrema, products at coordinates") {
    constexpr auto z = xg::input<"z", float, 2, 5>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 3, 2>;
    constexpr auto u = xg::input<"u", float, 3>;
    xg::function f{xg::outputs(xg::arange<2, 10, 3>(), xg::arange<5, 0, -2, float>(), xg::arange<3, 3>(), xg::arange<-1, 4>(),
        xg::logspace<5, double>(-1_c, 2_c), xg::tri<3, 4, 1>(), xg::tri<2>(), xg::cummax_positions<1>(z),
        xg::cummin_positions<1, xg::cumulative::reverse>(z), xg::cummax_positions<0, xg::cumulative::exclusive>(z),
        xg::scatter_nd_mul(z, ids, u), xg::gradient_of(xg::sum(xg::scatter_nd_mul(z, ids, u)), u))};
    float const nan = std::numeric_limits<float>::quiet_NaN();
    test::tensor<float> Z({2, 5}), U({3});
    test::tensor<std::int32_t> I({3, 2});
    float const numbers[]{1, 3, 3, 2, 4, 5, -1, nan, -1, 7};
    std::copy(std::begin(numbers), std::end(numbers), Z.data());
    for (int i = 0; i < 3; ++i) U[i] = static_cast<float>(i + 2), I[2 * i] = 0, I[2 * i + 1] = i == 1 ? 4 : 1;
    auto const r = f(z = Z, ids = I, u = U);
    is(std::get<0>(r), {2, 5, 8});
    is(std::get<1>(r), {5, 3, 1});
    is(std::get<2>(r), {});
    is(std::get<3>(r), {-1, 0, 1, 2, 3});
    check_known("logspace", std::get<4>(r));
    is(std::get<5>(r), {1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1});
    is(std::get<6>(r), {1, 0, 1, 1});
    is(std::get<7>(r), {0, 1, 1, 1, 4, 0, 0, 2, 2, 2});
    is(std::get<8>(r), {0, 3, 3, 3, 4, 2, 2, 2, 3, 4});
    is(std::get<9>(r), {-1, -1, -1, -1, -1, 0, 0, 0, 0, 0});
    CHECK((std::get<10>(r)[1] == 24 && std::get<10>(r)[4] == 12 && std::get<10>(r)[0] == 1));
    is(std::get<11>(r), {12, 4, 6});
    constexpr auto w = xg::input<"w", float, batch, 2>;
    xg::function g{xg::outputs(xg::arange<1, batch, 2>() + xg::cast<std::int32_t>(0_c), xg::sum(w))};
    for (std::int64_t n : {1, 2, 5, 6}) {
        auto const [range, unused] = g(w = test::tensor<float>({n, 2}));
        REQUIRE(range.size() == n / 2);
        for (std::int64_t k = 0; k < n / 2; ++k) CHECK(range[k] == 1 + 2 * k);
    }
}

TEST_CASE("bits and the next number") {
    constexpr auto z = xg::input<"z", float, batch, 3>;
    constexpr auto d = xg::input<"d", double>;
    constexpr auto h = xg::input<"h", xg::bfloat16, batch>;
    constexpr auto up = xg::nextafter(z, 2_c * z);
    xg::function f{
        xg::outputs(xg::bitcast<std::int32_t>(z), xg::bitcast<float>(xg::bitcast<std::uint32_t>(z) + xg::constant<std::uint32_t, 1>),
            xg::bitcast<std::int64_t>(d), up, xg::gradient_of(xg::sum(up * up), z), xg::nextafter(d, 5_c), xg::bitcast<std::uint16_t>(h))};
    auto const Z = test::numbers<float>({7, 3}, -1, 1, 3);
    test::tensor<double> D({}, 1.0);
    test::tensor<xg::bfloat16> H({7});
    for (std::int64_t i = 0; i < 7; ++i) H[i] = static_cast<xg::bfloat16>(1.0f);
    auto const [bits, next, wide, above, slope, two, half] = f(z = Z, d = D, h = H);
    for (std::int64_t i = 0; i < 21; ++i) {
        float const larger = std::nextafter(Z[i], 2 * Z[i]);
        CHECK(bits[i] == std::bit_cast<std::int32_t>(Z[i]));
        CHECK(next[i] == larger);
        CHECK(above[i] == larger);
        CHECK(slope[i] == 2 * larger);
    }
    CHECK(wide == std::bit_cast<std::int64_t>(1.0));
    CHECK(two == 1 + 0x1p-52);
    CHECK(half[3] == 0x3f80);
}
