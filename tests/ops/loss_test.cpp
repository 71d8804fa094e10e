// SPDX-License-Identifier: MIT
// Cross entropies and squared errors: values in long double, gradients against finite differences, large logits.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
using real = long double;
template<class T>
real log_sum(test::tensor<T> const& x, std::int64_t row, std::int64_t classes) {
    real largest = -std::numeric_limits<real>::infinity(), s = 0;
    for (std::int64_t k = 0; k < classes; ++k) largest = std::max(largest, static_cast<real>(x[row * classes + k]));
    for (std::int64_t k = 0; k < classes; ++k) s += std::exp(static_cast<real>(x[row * classes + k]) - largest);
    return largest + std::log(s);
}
}

TEST_CASE_TEMPLATE("values of cross entropies", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch, 6>;
    constexpr auto z = xg::input<"z", T, batch, 6>;
    constexpr auto y = xg::input<"y", std::int32_t, batch>;
    constexpr auto l = xg::input<"l", std::int64_t, batch>;
    xg::function f{xg::outputs(xg::softmax_cross_entropy(x, z), xg::sparse_softmax_cross_entropy(x, y), xg::sigmoid_cross_entropy(x, z),
        xg::sparse_softmax_cross_entropy(x, l), xg::softmax(x))};
    double const tolerance = sizeof(T) == 4 ? 5e-6 : 1e-14;
    for (double range : {3.0, 100.0, 3000.0})
        for (std::int64_t n : {5, 1, 0}) {
            CAPTURE(range);
            auto const a = test::numbers<T>({n, 6}, -range, range), b = test::numbers<T>({n, 6}, 0, 1, 2);
            test::tensor<std::int32_t> c({n});
            test::tensor<std::int64_t> d({n});
            for (std::int64_t i = 0; i < n; ++i) d[i] = c[i] = static_cast<std::int32_t>(i % 6);
            auto const [dense, sparse, sigmoid, wide, softmax] = f(x = a, z = b, y = c, l = d);
            test::check_near(
                "softmax_cross_entropy", dense,
                [&](std::int64_t i) {
                    real s = 0;
                    for (std::int64_t k = 0; k < 6; ++k)
                        s += static_cast<real>(b[i * 6 + k]) * (log_sum(a, i, 6) - static_cast<real>(a[i * 6 + k]));
                    return s;
                },
                tolerance);
            test::check_near(
                "sparse_softmax_cross_entropy", sparse,
                [&](std::int64_t i) { return log_sum(a, i, 6) - static_cast<real>(a[i * 6 + c[i]]); }, tolerance);
            test::check_near(
                "sigmoid_cross_entropy", sigmoid,
                [&](std::int64_t i) {
                    real const v = a[i], t = b[i];
                    return std::max(v, 0.0L) - v * t + std::log1p(std::exp(-std::abs(v)));
                },
                tolerance);
            test::check_near(
                "softmax", softmax, [&](std::int64_t i) { return std::exp(static_cast<real>(a[i]) - log_sum(a, i / 6, 6)); }, tolerance);
            for (std::int64_t i = 0; i < n; ++i) CHECK(test::same_bits(static_cast<T>(sparse[i]), static_cast<T>(wide[i])));
        }
}

TEST_CASE("3.10 gradients of cross entropies, also where labels do not sum to 1, and of labels") {
    constexpr auto x = xg::input<"x", double, batch, 4>;
    constexpr auto z = xg::input<"z", double, batch, 4>;
    constexpr auto y = xg::input<"y", std::int32_t, batch>;
    constexpr auto u = xg::input<"u", double, batch>;
    auto const a = test::numbers<double>({3, 4}, -2, 2), b = test::numbers<double>({3, 4}, 0, 1, 2), w = test::list({1.0, -2.0, 0.5});
    auto const labels = test::list<std::int32_t>({2, 0, 3});
    xg::function f{xg::gradient_of(xg::softmax_cross_entropy(x, z), x)};
    auto const g = f(x = a, z = b);
    for (std::int64_t i = 0; i < 12; ++i)
        CHECK(g[i] == doctest::Approx(static_cast<double>(std::exp(static_cast<real>(a[i]) - log_sum(a, i / 4, 4))) - b[i]));
    auto ones = b;   // rows that sum to 1: there the gradient is that of the value
    for (std::int64_t i = 0; i < 3; ++i) {
        double s = 0;
        for (int k = 0; k < 4; ++k) s += b[i * 4 + k];
        for (int k = 0; k < 4; ++k) ones[i * 4 + k] = b[i * 4 + k] / s;
    }
    auto const r = xg::check_gradients(u * xg::softmax_cross_entropy(x, z), xg::wrt(x, u), x = a, z = ones, u = w);
    CHECK_MESSAGE(r.ok, r.message);
    auto const labels_too = xg::check_gradients(u * xg::softmax_cross_entropy(x, z), xg::wrt(z), x = a, z = b, u = w);
    CHECK_MESSAGE(labels_too.ok, labels_too.message);
    auto const s = xg::check_gradients(u * xg::square(xg::sparse_softmax_cross_entropy(x, y)), xg::wrt(x, u), x = a, y = labels, u = w);
    CHECK_MESSAGE(s.ok, s.message);
    auto const t = xg::check_gradients(xg::square(xg::sigmoid_cross_entropy(x, z)) + xg::squared_error(x, z), xg::wrt(x, z), x = a, z = b);
    CHECK_MESSAGE(t.ok, t.message);
    // second derivatives
    auto const h = xg::check_gradients(xg::square(xg::gradient_of(xg::sparse_softmax_cross_entropy(x, y), x)) +
                                           xg::square(xg::gradient_of(xg::softmax_cross_entropy(x, z), x)),
        xg::wrt(x), x = a, y = labels, z = b);
    CHECK_MESSAGE(h.ok, h.message);
}

TEST_CASE("labels out of range are refused") {
    constexpr auto x = xg::input<"x", float, batch, 3>;
    constexpr auto y = xg::input<"y", std::int32_t, batch>;
    xg::function f{xg::sparse_softmax_cross_entropy(x, y)};
    auto const a = test::numbers<float>({1, 3});
    for (int bad : {3, -1}) CHECK_THROWS_AS(f(x = a, y = test::list<std::int32_t>({bad})), xg::value_error);
}
