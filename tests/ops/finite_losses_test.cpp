// SPDX-License-Identifier: MIT
// Losses and products whose derivatives are finite: infinite logits, logarithms and quotients of 0.
#include "ops/finite.hpp"

using namespace finite_derivatives;

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
