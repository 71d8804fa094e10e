// SPDX-License-Identifier: MIT
// Jacobians and Hessians of each example: more axes, batches of any length, rows of one element, zeros, and their cost.
#include "derivatives.hpp"

#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/inspect/cost.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace derivatives;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim columns{"columns"};
constexpr double tight = tolerance<double>;

namespace grids {   // of reference/derivatives.py
constexpr auto g = xg::input<"g", double, batch, 2, 4>;
constexpr auto w = xg::input<"w", double, 4, 5>;
constexpr auto seeds = xg::input<"seeds", double, 2, 5>;
constexpr auto mean = xg::mean<1, 2>(g, xg::keep_dims);
constexpr auto y = xg::softmax(xg::matmul(g, w)) * (1_c + xg::tanh(mean));
constexpr auto jacobians = xg::per_example_jacobians(y, g);
constexpr auto hessians = xg::per_example_hessians(xg::sum<1, 2>(y * seeds), g);
static_assert(xg::value_of<decltype(jacobians)>.dims == xg::make_shape<batch, 2, 5, 2, 4>());
static_assert(xg::value_of<decltype(hessians)>.dims == xg::make_shape<batch, 2, 4, 2, 4>());
}
}

TEST_CASE("examples with two axes, and batches of any length") {
    using namespace grids;
    xg::function f{xg::outputs(jacobians, hessians)};
    auto const all = numbers(18, {3, 2, 4}), W = numbers(1, {4, 5}), S = numbers(19, {2, 5});
    for (std::int64_t n : {3, 0, 1, 2}) {
        test::tensor<double> some({n, 2, 4});
        std::copy(all.begin(), all.begin() + some.size(), some.data());
        auto const [j, h] = f(g = some, w = W, seeds = S);
        auto of_j = of_jax("grids jacobian"), of_h = of_jax("grids hessian");
        of_j.resize(static_cast<std::size_t>(80 * n));
        of_h.resize(static_cast<std::size_t>(64 * n));
        check_all("Jacobians", j, of_j, 3 * tight);
        check_all("Hessians", h, of_h, 3 * tight);
    }
}
TEST_CASE("a gradient of Jacobians of each example") {
    using n = net<double>;
    constexpr auto size = xg::sum(xg::square(xg::per_example_jacobians(n::y, n::x)));
    xg::function f{xg::gradient_of(size, n::w)};
    auto const slope = f(n::x = numbers(0, {3, 4}), n::w = numbers(1, {4, 5}), n::b = numbers(2, {5}), n::v = numbers(3, {5, 2}));
    check_jax("rows slope_of_jacobians", slope, 3 * tight);
}
TEST_CASE("named rows, rows of one element without a loop, and zeros") {
    constexpr auto x = xg::input<"x", double, batch, columns>;
    constexpr auto s = xg::input<"s", double, batch>;
    constexpr auto other = xg::input<"other", double, batch, 2>;
    constexpr auto cubes = x * x * x;
    xg::function f{xg::outputs(xg::per_example_jacobians(cubes, x), xg::per_example_hessians(xg::sum<1>(cubes), x))};
    constexpr auto scaled = cubes * xg::expand_dims<1>(s);
    xg::function g{xg::outputs(xg::per_example_jacobians(xg::sum<1>(cubes), x), xg::per_example_jacobians(scaled, s),
        xg::per_example_hessians(xg::exp(s), s), xg::per_example_jacobians(other, x))};
    for (auto const& step : decltype(g)::program_type::plan.steps) CHECK(step.kind != xg::planner::step_kind::region);
    test::tensor<double> X({2, 3});
    for (int i = 0; i < 6; ++i) X[i] = i - 2;
    auto const S = test::list<double>({2, -1});
    auto const [jacobians, hessians] = f(x = X);
    REQUIRE(jacobians.shape() == std::array<std::int64_t, 3>{2, 3, 3});
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                double const at = X[3 * k + i];
                CHECK(jacobians(k, i, j) == (i == j ? 3 * at * at : 0));
                CHECK(hessians(k, i, j) == (i == j ? 6 * at : 0));
            }
    auto const [rows, by_s, of_s, zeros] = g(x = X, s = S, other = numbers(0, {2, 2}));
    REQUIRE(rows.shape() == std::array<std::int64_t, 2>{2, 3});
    REQUIRE(by_s.shape() == std::array<std::int64_t, 2>{2, 3});
    REQUIRE(of_s.shape() == std::array<std::int64_t, 1>{2});
    REQUIRE(zeros.shape() == std::array<std::int64_t, 3>{2, 2, 3});
    for (int i = 0; i < 6; ++i) {
        CHECK(rows[i] == 3 * X[i] * X[i]);
        CHECK(by_s[i] == X[i] * X[i] * X[i]);
    }
    for (int i = 0; i < 2; ++i) CHECK(of_s[i] == doctest::Approx(std::exp(S[i])).epsilon(1e-15));
    for (int i = 0; i < 12; ++i) CHECK(zeros[i] == 0);
}
TEST_CASE("the passes over the batch are as many as an example has elements") {
    constexpr auto x = xg::input<"x", double, batch, 6>;
    constexpr auto w = xg::input<"w", double, 6, 4>;
    constexpr auto y = xg::tanh(xg::matmul(x, w));
    xg::function f{xg::per_example_jacobians(y, x)};
    xg::function whole{xg::jacobian(y, x)};
    constexpr auto each = xg::cost_of<decltype(f)>;
    constexpr auto all = xg::cost_of<decltype(whole)>;
    constexpr std::int64_t ten = each.flops(batch = 10), twenty = each.flops(batch = 20);
    static_assert(2 * ten == twenty);
    static_assert(each.steps == all.steps + 1);   // a copy in the order of the axes
    // a pass is a product of 2 * 4 * 6 flops for each example, and cheap operations; y is computed once
    static_assert(ten < 10 * (4 + 1) * 2 * 4 * 6 * 2);
    static_assert(all.flops(batch = 10) > 7 * ten);
}
