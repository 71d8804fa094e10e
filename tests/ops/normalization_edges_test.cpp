// SPDX-License-Identifier: MIT
// Second derivatives of normalization. Edges: equal elements, large means, long axes, empty axes.
#include <ops/normalization.hpp>

#include <xgrad/ops/normalization/batch_norm.hpp>
#include <xgrad/ops/normalization/layer_norm.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
}

TEST_CASE("second derivatives, and those by an epsilon that is an input") {
    constexpr auto x = xg::input<"x", double, 5, 6>;
    constexpr auto w = xg::input<"w", double, 5, 6>;
    constexpr auto scale = xg::input<"scale", double, 6>;
    constexpr auto offset = xg::input<"offset", double, 6>;
    constexpr auto epsilon = xg::input<"epsilon", double>;
    auto const a = test::numbers<double>({5, 6}, -2, 3, 4), b = test::numbers<double>({5, 6}, -1, 1, 5);
    auto const s = test::numbers<double>({6}, 0.5, 2, 6), o = test::numbers<double>({6}, -1, 1, 7);
    auto const check = [&](auto y) {
        constexpr auto first = xg::gradients(decltype(y){}, xg::grad_ys(w), x, scale, epsilon);
        constexpr auto loss =
            xg::sum(xg::square(std::get<0>(first))) + xg::sum(xg::square(std::get<1>(first))) + xg::square(std::get<2>(first));
        xg::gradient_report const report = xg::check_gradients(loss, xg::wrt(x, w, scale, epsilon), x = a, w = b, scale = s, epsilon = 0.2);
        CHECK_MESSAGE(report, report.message);
    };
    check(xg::standardize(x, epsilon) * scale);
    check(xg::rms_norm(x, scale, epsilon));
    constexpr auto fused = xg::fused_batch_norm(x, scale, offset, epsilon);
    constexpr auto y = std::get<0>(fused) * xg::tanh(std::get<1>(fused)) + std::get<2>(fused);   // through the statistics too
    xg::gradient_report const report =
        xg::check_gradients(xg::sum(y * w), xg::wrt(x, w, scale, offset, epsilon), x = a, w = b, scale = s, offset = o, epsilon = 0.2);
    CHECK_MESSAGE(report, report.message);
    constexpr auto slope = xg::gradient_of(xg::sum(std::get<0>(fused) * w), x);
    xg::gradient_report const second =
        xg::check_gradients(xg::sum(xg::square(slope)), xg::wrt(x, w, scale, epsilon), x = a, w = b, scale = s, offset = o, epsilon = 0.2);
    CHECK_MESSAGE(second, second.message);
}

TEST_CASE("edges: equal elements, large means, long axes, tails, empty axes") {
    constexpr auto x = xg::input<"x", float, batch, 37>;
    constexpr auto one = xg::input<"one", float, 37>;
    constexpr auto y = xg::standardize(x);
    constexpr auto slope = xg::gradient_of(xg::sum(y * x), x);
    xg::function f{xg::outputs(y, slope, xg::standardize(x, 0_c), xg::rms_norm(x, one))};
    auto in = test::numbers<float>({3, 37}, -1, 1, 3);
    for (std::int64_t j = 0; j < 37; ++j) in[j] = 3.3f, in[37 + j] += 10000, in[74 + j] = 0;
    test::tensor<float> const ones({37}, 1);
    auto const [a, da, bare, rms] = f(x = in, one = ones);
    double mean = 0, square = 0;
    for (std::int64_t j = 0; j < 37; ++j) mean += in[37 + j] / 37.0;
    for (std::int64_t j = 0; j < 37; ++j) square += (in[37 + j] - mean) * (in[37 + j] - mean) / 37;
    for (std::int64_t j = 0; j < 37; ++j) {
        CHECK(std::abs(a(0, j)) < 2e-5);   // the mean of 37 equal floats is rounded
        CHECK(a(1, j) == doctest::Approx((in[37 + j] - mean) / std::sqrt(square + 1e-3)).epsilon(2e-3));
        CHECK(a(2, j) == 0);
        CHECK(std::isfinite(da(0, j)));
        CHECK(da(2, j) == 0);
        CHECK(std::isnan(bare(2, j)));
        CHECK(rms(2, j) == 0);
    }
    auto const none = f(x = test::tensor<float>({0, 37}), one = ones);
    CHECK(std::get<0>(none).shape(0) == 0);

    // 100,000 rows in float: the variance keeps its digits also with a large mean
    constexpr auto rows = xg::input<"rows", float, batch, 3>;
    constexpr auto unit = xg::input<"unit", float, 3>;
    constexpr auto fused = xg::fused_batch_norm(rows, unit, unit);
    constexpr auto back = xg::gradients(xg::square(std::get<0>(fused)), rows, unit);
    xg::function g{xg::outputs(std::get<1>(fused), std::get<2>(fused), std::get<0>(back))};
    auto many = test::numbers<float>({100000, 3}, -1, 1, 9);
    double means[3]{}, variances[3]{};
    for (std::int64_t i = 0; i < many.size(); ++i) means[i % 3] += (many[i] += static_cast<float>(i % 3) * 300) / 1e5;
    for (std::int64_t i = 0; i < many.size(); ++i) variances[i % 3] += (many[i] - means[i % 3]) * (many[i] - means[i % 3]) / 99999;
    test::tensor<float> const units({3}, 1);
    auto const [m, v, dr] = g(rows = many, unit = units);
    for (std::int64_t c = 0; c < 3; ++c) {
        CHECK(m[c] == doctest::Approx(means[c]).epsilon(1e-6));
        CHECK(v[c] == doctest::Approx(variances[c]).epsilon(2e-6));
    }
    double total = 0;
    for (std::int64_t i = 0; i < many.size(); i += 3) total += dr[i];
    CHECK(std::abs(total) < 1e-2);   // gradients of a channel sum to 0
}
