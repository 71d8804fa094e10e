// SPDX-License-Identifier: MIT
// Linear algebra: float, one matrix, stacks of stacks, edges of shapes.
#include <support/tensor.hpp>

#include <xgrad/ops/linalg.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim n{"n"};
}

TEST_CASE("one matrix of floats: a Gaussian likelihood, of every size; n = 0") {
    constexpr auto x = xg::input<"x", float, n, n>;
    constexpr auto y = xg::input<"y", float, n, 1>;
    constexpr auto k = xg::matmul<false, true>(x, x) + 4_c * xg::eye<n>();
    constexpr auto l = xg::cholesky(k);
    constexpr auto loss =
        xg::sum(y * xg::cholesky_solve(l, y)) + xg::logdet(k) + std::get<1>(xg::slogdet(k)) + xg::sum(y * xg::solve(k, y));
    for (std::int64_t size : {1, 5, 19}) {
        auto const X = test::numbers<float>({size, size}, -1, 1, 2), Y = test::numbers<float>({size, 1}, -1, 1, 3);
        auto const r = xg::check_gradients(loss, xg::wrt(x, y), x = X, y = Y);
        CHECK_MESSAGE(r.ok, r.message);
    }
    xg::function f{xg::outputs(
        xg::det(x), std::get<0>(xg::slogdet(x)), loss, xg::gradient_of(loss, x), std::get<0>(xg::eigh(x)), std::get<0>(xg::qr(x)))};
    auto const [det, sign, none, slope, values, q] = f(x = test::tensor<float>({0, 0}), y = test::tensor<float>({0, 1}));
    CHECK(det == 1);
    CHECK(sign == 1);
    CHECK(none == 0);
    CHECK(slope.size() + values.size() + q.size() == 0);
}

TEST_CASE("singular matrices give infinities or NaN, their determinant is 0") {
    constexpr auto x = xg::input<"x", double, 2, 2, 2>;
    constexpr auto sign_log = xg::slogdet(x);
    xg::function f{xg::outputs(xg::inverse(x), xg::det(x), std::get<0>(sign_log), std::get<1>(sign_log), xg::cholesky(x))};
    double const X[]{1, 2, 2, 4, 4, 2, 2, 5};
    auto const [inverse, det, sign, logs, l] = f(x = xg::array(X, 2, 2, 2));
    CHECK(det[0] == 0);
    CHECK(sign[0] == 0);
    CHECK(logs[0] == -std::numeric_limits<double>::infinity());
    for (int i = 0; i < 4; ++i) CHECK(!std::isfinite(inverse[i]));
    CHECK(det[1] == doctest::Approx(16));
    CHECK(std::isnan(l[0]));
    CHECK(l[1] == 0);
    CHECK(l[4] == 2);
    CHECK(l[6] == 1);
    CHECK(l[7] == 2);
}

TEST_CASE("stacks of stacks, wide QR, elements of 16 bits") {
    constexpr auto x = xg::input<"x", double, 2, batch, 3, 4>;
    constexpr auto half = xg::input<"h", xg::bfloat16, 2, 2>;
    constexpr auto q_r = xg::qr(x);
    constexpr auto product = xg::matmul(std::get<0>(q_r), std::get<1>(q_r));
    constexpr auto loss = xg::sum(xg::sin(xg::square(std::get<0>(q_r)))) + xg::sum(xg::sin(std::get<1>(q_r))) +
                          xg::sum(xg::inverse(xg::matmul<false, true>(x, x) + xg::eye<3, double>()));
    auto const X = test::numbers<double>({2, 3, 3, 4}, -1, 1, 7);
    xg::function f{xg::outputs(product, xg::det(half))};
    xg::bfloat16 const H[]{xg::bfloat16(3.0f), xg::bfloat16(1.0f), xg::bfloat16(1.0f), xg::bfloat16(2.0f)};
    auto const [same, det] = f(x = X, half = xg::array(H, 2, 2));
    test::check_near(
        "q r", same, [&](std::int64_t i) { return static_cast<long double>(X[i]); }, 1e-14);
    CHECK(det == doctest::Approx(5));
    auto const r = xg::check_gradients(loss, xg::wrt(x), x = X);
    CHECK_MESSAGE(r.ok, r.message);
}
