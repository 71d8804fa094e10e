// SPDX-License-Identifier: MIT
// Noise in training and none for inference; lengths, spectral and local response normalization against TensorFlow and PyTorch.
#include <ops/normalization.hpp>

#include <xgrad/ops/normalization/lengths.hpp>
#include <xgrad/ops/normalization/local_response.hpp>
#include <xgrad/ops/normalization/noise.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::check_against, test::check_close, test::from_table;
inline constexpr xg::dim batch{"batch"};

template<class A, class B>
constexpr bool same(A, B) {
    return std::is_same_v<A, B>;
}
struct two_moments {
    double mean = 0, variance = 0;
    explicit two_moments(auto const& values) {
        for (auto const v : values) mean += v / static_cast<double>(values.size());
        for (auto const v : values) variance += (v - mean) * (v - mean) / static_cast<double>(values.size());
    }
};
}

TEST_CASE("noise has its mean and variance in training, and is not there for inference") {
    constexpr auto x = xg::input<"x", float, batch, 50>;
    constexpr auto rate = xg::input<"rate", float>;
    constexpr auto added = xg::gaussian_noise<"added">(x, 0.5_c);
    constexpr auto multiplied = xg::gaussian_dropout<"multiplied">(x, rate);
    constexpr auto alpha = xg::alpha_dropout<"alpha">(x, 0.2_c);
    static_assert(same(xg::eval(added), x) && same(xg::eval(multiplied), x) && same(xg::eval(alpha), x));
    static_assert(same(xg::eval(xg::tanh(xg::gaussian_noise<"outer">(xg::dropout<"inner">(x, 0.5_c), 1_c))), xg::tanh(x)));
    static_assert(same(xg::eval(xg::in_training(added, -xg::dropout<"of z">(x, rate))), -x));
    xg::function f{xg::outputs(added, multiplied, alpha, xg::gradient_of(xg::sum(added), x), xg::gradient_of(xg::sum(multiplied), x),
        xg::gradient_of(xg::sum(alpha), x))};
    test::tensor<float> const ones({400, 50}, 1);
    auto const [a, m, al, da, dm, dal] = f(x = ones, rate = 0.2f);
    two_moments const of_a(a), of_m(m);
    CHECK(of_a.mean == doctest::Approx(1).epsilon(0.02));
    CHECK(of_a.variance == doctest::Approx(0.25).epsilon(0.03));
    CHECK(of_m.mean == doctest::Approx(1).epsilon(0.02));
    CHECK(of_m.variance == doctest::Approx(0.25).epsilon(0.03));   // rate / (1 - rate)
    double const limit = -1.7580993408473766, scale = 1 / std::sqrt(0.8 * (1 + 0.2 * limit * limit)), shift = -scale * limit * 0.2;
    std::int64_t dropped = 0;
    for (std::int64_t i = 0; i < al.size(); ++i) {
        bool const lost = dal[i] == 0;
        dropped += lost;
        CHECK(al[i] == doctest::Approx(scale * (lost ? limit : 1) + shift).epsilon(1e-5));
        CHECK(dal[i] == doctest::Approx(lost ? 0 : scale).epsilon(1e-5));
        CHECK(da[i] == 1);
        CHECK(dm[i] == doctest::Approx(m[i]));   // x is 1
    }
    CHECK(static_cast<double>(dropped) == doctest::Approx(4000).epsilon(0.1));

    constexpr auto image = xg::input<"image", float, batch, 3, 2, 4>;
    constexpr auto channels = xg::spatial_dropout<"channels">(image, rate);
    static_assert(same(xg::eval(channels), image));
    xg::function g{xg::outputs(channels, xg::gradient_of(xg::sum(channels * image), image))};
    test::tensor<float> const all({500, 3, 2, 4}, 2);
    auto const [kept, slope] = g(image = all, rate = 0.25f);
    std::int64_t gone = 0;
    for (std::int64_t n = 0; n < 500; ++n)
        for (std::int64_t c = 0; c < 4; ++c) {
            float const first = kept(n, 0, 0, c);
            gone += first == 0;
            for (std::int64_t i = 0; i < 6; ++i) {
                CHECK(kept(n, i / 2, i % 2, c) == first);
                CHECK(slope(n, i / 2, i % 2, c) == doctest::Approx(2 * first));
            }
            CHECK((first == 0 || first == doctest::Approx(2 / 0.75)));
        }
    CHECK(static_cast<double>(gone) == doctest::Approx(500).epsilon(0.15));
    CHECK_THROWS_AS(g(image = all, rate = 1.0f), xg::value_error);
}

TEST_CASE("lengths, singular values and local responses of TensorFlow and PyTorch") {
    auto const table = test::read_reference("normalization.txt"), torch = test::read_reference("normalization_torch.txt");
    constexpr auto x = xg::input<"x", double, 3, 2, 2, 4>;
    constexpr auto w = xg::input<"w", double, 3, 2, 2, 4>;
    auto const a = from_table<double>(table.at("x"), {3, 2, 2, 4}), b = from_table<double>(table.at("w"), {3, 2, 2, 4});
    auto const check = [&](auto const& numbers, char const* name, double tolerance, auto y) {
        check_against(numbers, name, tolerance, y, w, std::tuple(x), {"x"}, x = a, w = b);
    };
    check(table, "l2", 1e-12, xg::l2_normalize<-1>(x));
    check(table, "l2_short", 1e-12, xg::l2_normalize<-1>(x, 40_c));
    check(table, "lrn", 2e-6, xg::local_response_normalization<1>(x));
    check(table, "lrn_power", 2e-6, xg::local_response_normalization<2>(x, 2_c, 0.3_c, 0.75_c));
    check(table, "lrn_other", 2e-6, xg::local_response_normalization(x, 1.5_c, 0.2_c, 1.3_c));
    check(torch, "lrn", 1e-12, xg::local_response_normalization<1>(x, 2_c, 0.16666666666666666_c, 0.75_c));

    constexpr auto v = xg::input<"v", double, 6, 4>;
    constexpr auto g = xg::input<"g", double, 4>;
    constexpr auto weight = xg::input<"weight", double, 6, 4>;
    check_against(torch, "weight", 1e-12, xg::weight_norm<0>(v, g), weight, std::tuple(v, g), {"v", "g"},
        v = from_table<double>(table.at("kernel"), {6, 4}), g = from_table<double>(table.at("scale"), {4}),
        weight = from_table<double>(table.at("w"), {6, 4}));

    constexpr auto kernel = xg::input<"kernel", double, 2, 3, 4>;
    constexpr auto u = xg::input<"u", double, 4>;
    constexpr auto spectral = xg::spectral_normalization(kernel, u);
    test::tensor<double> const ones({4}, 1), k = from_table<double>(table.at("kernel"), {2, 3, 4});
    xg::function f{xg::outputs(std::get<0>(spectral), std::get<1>(spectral))};
    auto const [normalized, next] = f(kernel = k, u = ones);
    check_close("spectral", normalized, table.at("spectral"), 1e-6);   // Keras' epsilon is another one
    check_close("spectral.u", next, table.at("spectral.u"), 1e-6);
    // The vectors are constants for the gradient. At the end of the iterations they move none of it.
    constexpr auto more = xg::spectral_normalization<20>(kernel, u);
    xg::function iterate{std::get<1>(more)};
    test::tensor<double> last = ones;
    for (int n = 0; n < 60; ++n) {
        auto const better = iterate(kernel = k, u = last);
        std::copy(better.begin(), better.end(), last.data());
    }
    xg::gradient_report const report =
        xg::check_gradients(xg::sum(xg::square(xg::tanh(std::get<0>(spectral)))), xg::wrt(kernel), kernel = k, u = last);
    CHECK_MESSAGE(report, report.message);
}

TEST_CASE("edges of lengths and windows: zeros, windows beyond the row, rows longer than SIMD, second derivatives") {
    constexpr auto x = xg::input<"x", float, batch, 35>;
    constexpr auto unit = xg::l2_normalize<1>(x);
    xg::function f{xg::outputs(unit, xg::gradient_of(xg::sum(unit), x))};
    test::tensor<float> zeros({1, 35});
    auto const [y, slope] = f(x = zeros);
    for (std::int64_t j = 0; j < 35; ++j) {
        CHECK(y(0, j) == 0);
        CHECK(slope(0, j) == doctest::Approx(1e6));
    }
    for (std::size_t n : {1, 3, 4, 35}) {
        auto const from = test::numbers<double>({static_cast<std::int64_t>(n)}, -1, 1, 2);
        std::vector<double> to(n);
        xg::op::window_sum<3>::row<double>(std::span<double const>(from.data(), n), std::span<double>(to));
        for (std::int64_t j = 0; j < static_cast<std::int64_t>(n); ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < static_cast<std::int64_t>(n); ++k)
                if (k - j <= 3 && j - k <= 3) sum += from[k];
            CHECK(to[static_cast<std::size_t>(j)] == doctest::Approx(sum));
        }
    }
    constexpr auto z = xg::input<"z", double, 2, 5>;
    constexpr auto first = xg::gradient_of(xg::sum(xg::square(xg::local_response_normalization<1>(z, 1_c, 0.5_c, 0.75_c))), z);
    xg::gradient_report const report = xg::check_gradients(xg::sum(xg::square(first)), xg::wrt(z), z = test::numbers<double>({2, 5}));
    CHECK_MESSAGE(report, report.message);
}
