// SPDX-License-Identifier: MIT
// Derivatives that are finite where mathematics is: roots of sums of squares at 0.
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
