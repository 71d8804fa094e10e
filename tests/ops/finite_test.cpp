// SPDX-License-Identifier: MIT
// Derivatives that are finite where mathematics is: roots of sums of squares at 0, infinite logits.
#include "ops/finite.hpp"

using namespace finite_derivatives;

TEST_CASE_TEMPLATE("norms and standard deviations have the gradient 0 at 0", T, float, double) {
    constexpr auto m = xg::input<"m", T, batch, 3>;
    constexpr auto w = xg::input<"w", T, 3>;
    constexpr auto gradient = [](auto y) { return xg::gradient_of(y, xg::input<"m", T, batch, 3>); };
    constexpr auto n = xg::norm<1>(m);
    constexpr auto deviation = xg::sqrt(std::get<1>(xg::moments<1>(m)));
    constexpr auto weighted = xg::sqrt(0.25_c * xg::sum<1>(m * m) + xg::mean<1>(xg::square(m)));
    constexpr auto masked = xg::sqrt(xg::sum<1>(xg::cast<T>(w > 0_c) * xg::square(m) + xg::select(w > 2_c, m * m, 0_c)));
    xg::function f{xg::outputs(n, gradient(n), gradient(gradient(n)), gradient(deviation), gradient(weighted), gradient(masked),
        xg::norm(m), xg::norm<0>(m, xg::keep_dims), gradient(xg::sqrt(xg::abs(m))))};
    auto const at = test::tensor<T>({2, 3}, T(0));
    auto a = at;
    a[3] = 3, a[4] = 4;
    auto const [value, slope, twice, spread, both, part, all, columns, plain] = f(m = a, w = test::list<T>({1, -1, 1}));
    all_are("norm", value, {0, 5});
    all_are("its gradient", slope, {0, 0, 0, 0.6, 0.8, 0});
    all_are("of a sum and a mean", both, {0, 0, 0, 3 * std::sqrt(7.0 / 12) / 5, 4 * std::sqrt(7.0 / 12) / 5, 0});
    all_are("of what a mask leaves", part, {0, 0, 0, 1, 0, 0});
    for (int i = 0; i < 3; ++i) {
        CHECK(twice[i] == 0);
        CHECK(spread[i] == 0);
        CHECK((std::isnan(plain[i]) || plain[i] == 0));   // |x|' is 0 at 0, and the root's is infinite
    }
    CHECK(all == 5);
    CHECK((columns.shape() == std::array<std::int64_t, 2>{1, 3}));
    all_are("of columns", columns, {3, 4, 0});
    constexpr auto r = xg::input<"r", T, batch>;
    CHECK(std::isinf(xg::function{xg::gradient_of(xg::sqrt(r), r)}(r = test::list<T>({0}))[0]));   // TensorFlow's
    if constexpr (sizeof(T) == 8) {
        auto const b = test::numbers<T>({3, 3}, -2, 2);
        auto const good = xg::check_gradients(
            xg::sum(xg::square(gradient(n)) * m) + xg::sum(deviation) + xg::norm(m) * xg::sum(xg::norm<0>(m)), xg::wrt(m), m = b);
        CHECK_MESSAGE(good.ok, good.message);
    }
}

TEST_CASE_TEMPLATE("cross entropies of infinite logits", T, float, double) {
    constexpr auto m = xg::input<"m", T, batch, 3>;
    constexpr auto z = xg::input<"z", T, batch, 3>;
    constexpr auto y = xg::input<"y", std::int32_t, batch>;
    T const inf = std::numeric_limits<T>::infinity();
    auto logits = test::tensor<T>({2, 3}, -inf), labels = test::tensor<T>({2, 3}, T(0));
    logits[0] = 1, logits[2] = 2, logits[3] = 0;
    labels[0] = labels[2] = T(0.5), labels[3] = 1;
    constexpr auto dense = xg::softmax_cross_entropy(m, z);
    constexpr auto sparse = xg::sparse_softmax_cross_entropy(m, y);
    xg::function f{xg::outputs(dense, xg::gradient_of(dense, m), sparse, xg::gradient_of(sparse, m))};
    auto const [d, dm, s, sm] = f(m = logits, z = labels, y = test::list<std::int32_t>({2, 0}));
    double const e = std::log1p(std::exp(-1.0)), q = 1 / (1 + std::exp(1.0));
    all_are("dense", d, {e + 0.5, 0});
    all_are("its gradient", dm, {q - 0.5, 0, 0.5 - q, 0, 0, 0});
    all_are("sparse", s, {e, 0});
    all_are("its gradient", sm, {q, 0, -q, 0, 0, 0});
}

TEST_CASE("log_softmax over any axes, xlogy and products without NaN against finite differences") {
    constexpr auto t = xg::input<"t", double, batch, 3, 2>;
    constexpr auto u = xg::input<"u", double, batch, 3, 2>;
    constexpr auto entropy = -xg::sum(xg::xlogy(xg::softmax<1, 2>(t), xg::softmax<1, 2>(t)));
    constexpr auto loss = xg::sum(u * xg::log_softmax(t)) + xg::sum(xg::square(u * xg::log_softmax<0, 1>(t))) + entropy +
                          xg::sum(xg::multiply_no_nan(xg::exp(t), u) + xg::divide_no_nan(t, u) + xg::xlogy(u, xg::exp(t)));
    auto const a = test::numbers<double>({2, 3, 2}, -2, 2), b = test::numbers<double>({2, 3, 2}, 0.5, 2, 3);
    auto const r = xg::check_gradients(loss, xg::wrt(t, u), t = a, u = b);
    CHECK_MESSAGE(r.ok, r.message);
    auto const s = xg::check_gradients(xg::sum(xg::square(xg::gradient_of(loss, t))), xg::wrt(t, u), t = a, u = b);
    CHECK_MESSAGE(s.ok, s.message);
    constexpr auto p = xg::input<"p", double, batch>;
    constexpr auto q = xg::input<"q", double, batch>;
    xg::function f{xg::outputs(xg::gradient_of(xg::xlogy(p, q), p), xg::gradient_of(xg::xlogy(p, q), q))};
    auto const [dp, dq] = f(p = test::list<double>({0, 0, 2}), q = test::list<double>({0, 3, 4}));
    all_are("of x", dp, {0, std::log(3.0), std::log(4.0)});
    all_are("of y", dq, {0, 0, 0.5});
}
