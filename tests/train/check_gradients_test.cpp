// SPDX-License-Identifier: MIT
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
/// An operation whose derivative is wrong by one part in a hundred.
struct wrong_op : xg::elementwise_op {
    static constexpr std::string_view name = "wrong";
    static auto value(auto x) { return x * x; }
    static constexpr xg::symbol derivative(xg::symbol x, xg::symbol, xg::symbol g) { return g * x * 2.02_c; }
};
inline constexpr xg::elementwise<wrong_op> wrong{};
}

TEST_CASE_TEMPLATE("right gradients pass, variables are put back", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch, 4>;
    constexpr auto y = xg::input<"y", std::int32_t, batch>;
    constexpr auto w = xg::variable<"w", T, 4, 3>;
    constexpr auto unused = xg::input<"unused", T, 2>;
    constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::tanh(xg::matmul(x, w)), y));
    auto train = xg::minimize(loss, xg::gradient_descent{});
    train.initialize(xg::glorot_uniform{.seed = 3});
    std::vector<T> const before(train.value(w).begin(), train.value(w).end());
    auto const a = test::numbers<T>({5, 4});
    auto const labels = test::list<std::int32_t>({0, 1, 2, 1, 0});
    auto const r = xg::check_gradients(loss, xg::wrt(w, x), train, x = a, y = labels);
    CHECK_MESSAGE(r.ok, r.message);
    CHECK(r.checked == 12 + 20);
    CHECK(r.worst > 0);
    CHECK(r.max_absolute > 0);
    CHECK(std::vector<T>(train.value(w).begin(), train.value(w).end()) == before);
    CHECK(xg::check_gradients(loss, xg::wrt(w, unused), train, x = a, y = labels).checked == 12);
    // a tolerance that no finite difference can meet
    CHECK(!xg::check_gradients(loss, xg::wrt(w), xg::gradient_check{.tolerance = 1e-18}, train, x = a, y = labels));
    CHECK_THROWS_AS(
        static_cast<void>(xg::check_gradients(loss, xg::wrt(w), train, x = test::numbers<T>({4, 4}), y = labels)), xg::shape_error);
}

TEST_CASE("variables are put back where an evaluation throws") {
    constexpr auto w = xg::variable<"w", float, 4>;
    constexpr auto loss = xg::sum(xg::gather(xg::square(w), xg::cast<std::int32_t>(w)));
    xg::variables owner{loss};
    std::vector<float> const start{0, 1, 2, 3.75f};
    owner.assign(w, start);
    CHECK_THROWS_AS(static_cast<void>(xg::check_gradients(loss, xg::wrt(w), xg::gradient_check{.step = 0.25}, owner)), xg::value_error);
    CHECK(std::vector<float>(owner.value(w).begin(), owner.value(w).end()) == start);
}

TEST_CASE_TEMPLATE("a wrong derivative is found and named", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto y = xg::input<"y", T, batch>;
    auto const a = test::list<T>({T(0.5), T(-3), T(1)}), b = test::list<T>({1, 2, 3});
    auto const r = xg::check_gradients(xg::sum(wrong(x) + xg::square(y)), xg::wrt(y, x), x = a, y = b);
    CHECK(r.name == "x");
    CHECK(r.element == 1);
    CHECK(r.analytic == doctest::Approx(-6.06));
    CHECK(r.numeric == doctest::Approx(-6).epsilon(1e-3));
    CHECK(r.ok == (sizeof(T) == 4 && r.worst <= 1));
    if (sizeof(T) == 8) CHECK(!r.ok);
    // NaN is never right
    CHECK(!xg::check_gradients(xg::log(x), xg::wrt(x), x = a));
}
