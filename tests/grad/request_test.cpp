// SPDX-License-Identifier: MIT
// The arguments besides y: grad_ys, stop_gradients, unconnected_zeros, with the numbered cases of TensorFlow's tf.gradients.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
template<class V>
std::vector<double> copy(V const& v) {
    return {v.begin(), v.end()};
}
using list = std::vector<double>;
}

TEST_CASE("C11 gradients start from grad_ys") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto up = xg::input<"up", double, batch>;
    constexpr auto y = xg::square(x);
    xg::function f{xg::outputs(xg::gradient_of(y, xg::grad_ys(up), x), xg::gradient_of(xg::ys(y, y), x))};
    auto const [weighted, twice] = f(x = test::list({3.0, 4.0}), up = test::list({1.0, 10.0}));
    CHECK(copy(weighted) == list{6, 80});
    CHECK(copy(twice) == list{12, 16});
}

TEST_CASE("3.2 one for each y, none for ones; the same y twice counts twice; a grad_y broadcasts to its y") {
    constexpr auto x = xg::input<"x", double, batch, 2>;
    constexpr auto row = xg::input<"row", double, 2>;
    constexpr auto y = xg::square(x);
    constexpr auto z = xg::exp(x);
    constexpr auto g = xg::gradients(xg::ys(y, z, y), xg::grad_ys(row, xg::none{}, 0.5_c), x);
    constexpr auto computed = xg::gradient_of(y, xg::grad_ys(0.25_c * 2_c), x);   // a constant of constants
    xg::function f{xg::outputs(std::get<0>(g), computed)};
    auto const a = test::numbers<double>({3, 2});
    auto const up = test::list({2.0, -1.0});
    auto const [all, half] = f(x = a, row = up);
    for (std::int64_t i = 0; i < 6; ++i) {
        CHECK(all[i] == doctest::Approx(2 * a[i] * (up[i % 2] + 0.5) + std::exp(a[i])).epsilon(1e-14));
        CHECK(half[i] == a[i]);
    }
}

TEST_CASE("3.2 slices as grad_ys count as the tensor they stand for") {
    constexpr auto p = xg::input<"p", double, 4>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto slices = xg::gradient_of(xg::sum(xg::gather(p, i)), p);
    static_assert(xg::SparseGradient<decltype(slices)>);
    xg::function f{xg::gradient_of(xg::square(p), xg::grad_ys(slices), p)};
    CHECK(copy(f(p = test::list({1.0, 2.0, 3.0, 4.0}), i = test::list<std::int32_t>({1, 3, 1}))) == list{0, 8, 0, 8});
}

TEST_CASE("3.2 products with a Jacobian from both sides: gradients are linear in grad_ys and can be differentiated by them") {
    constexpr auto x = xg::input<"x", double, 3>;
    constexpr auto u = xg::input<"u", double, 3>;
    constexpr auto v = xg::input<"v", double, 3>;
    constexpr auto a = xg::input<"a", double, 3, 3>;
    constexpr auto y = xg::tanh(xg::squeeze<0>(xg::matmul(xg::expand_dims<0>(x), a)));
    constexpr auto backward = xg::gradient_of(y, xg::grad_ys(u), x);         // uᵀ J
    constexpr auto forward = xg::gradient_of(backward, xg::grad_ys(v), u);   // J v, whatever u is
    xg::function f{xg::outputs(xg::sum(backward * v), xg::sum(forward * u))};
    auto const in = test::numbers<double>({3}), m = test::numbers<double>({3, 3}, -1, 1, 2), up = test::numbers<double>({3}, -1, 1, 3),
               direction = test::numbers<double>({3}, -1, 1, 4);
    auto const [left, right] = f(x = in, a = m, u = up, v = direction);
    CHECK(left == doctest::Approx(right).epsilon(1e-13));
    auto const r = xg::check_gradients(xg::sum(backward * v), xg::wrt(x, u, a), x = in, a = m, u = up, v = direction);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("C5 unconnected: none, or zeros where they are asked for") {
    constexpr auto x = xg::input<"x", double, 2, 2>;
    constexpr auto y = xg::input<"y", double, 2, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::square(y), x))>);
    constexpr auto g = xg::gradients(xg::square(y), xg::unconnected_zeros, x, y, i);
    static_assert(xg::value_of<std::tuple_element_t<2, decltype(g)>>.type == xg::dtype::int32);
    xg::function f{xg::outputs(std::get<0>(g), std::get<1>(g))};
    auto const a = test::numbers<double>({2, 2});
    auto const [zeros, connected] = f(x = a, y = a, i = test::list<std::int32_t>({4, 5}));
    CHECK(zeros.shape() == std::array<std::int64_t, 2>{2, 2});
    CHECK(copy(zeros) == list{0, 0, 0, 0});
    for (std::int64_t k = 0; k < 4; ++k) CHECK(connected[k] == 2 * a[k]);
    xg::function h{xg::outputs(std::get<2>(g), xg::sum(xg::cast<double>(i)))};
    auto const [integers, sum] = h(x = a, y = a, i = test::list<std::int32_t>({4, 5}));
    CHECK(copy(integers) == list{0, 0});
    CHECK(sum == 9);
    // an x that equals y is connected, whatever arguments come before it
    static_assert(xg::DenseGradient<decltype(xg::gradient_of(x, xg::unconnected_zeros, x))>);
}

TEST_CASE("3.5 an x in stop_gradients keeps its own gradient and passes nothing on") {
    constexpr auto x = xg::input<"x", double>;
    constexpr auto y = 2_c * x;
    constexpr auto z = x + y;
    constexpr auto total = xg::gradients(z, x, y);
    constexpr auto partial = xg::gradients(z, xg::stop_gradients(x, y), x, y);
    xg::function f{xg::outputs(std::get<0>(total), std::get<1>(total), std::get<0>(partial), std::get<1>(partial))};
    auto const [tx, ty, px, py] = f(x = 1.0);
    CHECK(tx == 3);
    CHECK(ty == 1);
    CHECK(px == 1);
    CHECK(py == 1);
}

TEST_CASE("3.5 stop_gradients is stop_gradient where the expression stands") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto h = xg::exp(x);
    constexpr auto held = xg::gradient_of(h * xg::square(x), xg::stop_gradients(h), x);
    constexpr auto wrapped = xg::gradient_of(xg::stop_gradient(h) * xg::square(x), x);
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::square(h), xg::stop_gradients(h), x))>);
    static_assert(xg::NoGradient<decltype(xg::gradient_of(h, xg::stop_gradients(h), x))>);   // a y too
    xg::function f{xg::outputs(held, wrapped)};
    auto const a = test::numbers<double>({5});
    auto const [first, second] = f(x = a);
    for (std::int64_t k = 0; k < 5; ++k) {
        CHECK(first[k] == doctest::Approx(std::exp(a[k]) * 2 * a[k]).epsilon(1e-14));
        CHECK(test::same_bits(first[k], second[k]));
    }
    // other calls do not see it
    xg::function g{xg::outputs(held, xg::gradient_of(h * xg::square(x), x))};
    auto const [one, all] = g(x = a);
    for (std::int64_t k = 0; k < 5; ++k) CHECK(all[k] == doctest::Approx(one[k] + std::exp(a[k]) * a[k] * a[k]).epsilon(1e-13));
}

TEST_CASE("options in any order, with slices; 1.2: grad_loss of compute_gradients") {
    constexpr auto p = xg::variable<"p", float, 4>;
    constexpr auto w = xg::variable<"w", float, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, 2>;
    constexpr auto weight = xg::input<"weight", float, 2>;
    constexpr auto h = xg::gather(p, i);
    constexpr auto losses = h * w + xg::square(h);
    constexpr auto g = xg::compute_gradients(losses, xg::stop_gradients(w), xg::grad_ys(weight), p, w);
    static_assert(xg::SparseGradient<std::tuple_element_t<0, decltype(g)>> && xg::DenseGradient<std::tuple_element_t<1, decltype(g)>>);
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1}, xg::sum(losses), xg::with_variable(std::get<0>(g), p),
        xg::with_variable(std::get<1>(g), w));
    train.assign(p, test::list({1.0f, 2.0f, 3.0f, 4.0f}));
    train.assign(w, test::list({10.0f, 20.0f}));
    train(i = test::list<std::int32_t>({1, 3}), weight = test::list({1.0f, 0.5f}));
    CHECK(copy(train.value(p)) == list{1, 2 - (10 + 4), 3, 4 - 0.5 * (20 + 8)});
    CHECK(copy(train.value(w)) == list{10 - 2, 20 - 0.5 * 4});
}
