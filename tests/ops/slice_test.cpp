// SPDX-License-Identifier: MIT
// Slices with a step and by extents: values against loops, gradients, bounds that depend on the sizes of a call.
#include <support/tensor.hpp>

#include <xgrad/inspect/describe.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};

/// x[:, begin:end:step, :]
template<class T>
std::vector<T> sliced(test::tensor<T> const& x, std::int64_t begin, std::int64_t end, std::int64_t step) {
    std::vector<T> r;
    for (std::int64_t b = 0; b < x.shape()[0]; ++b)
        for (std::int64_t i = begin; i < end; i += step)
            for (std::int64_t k = 0; k < x.shape()[2]; ++k) r.push_back(x[(b * x.shape()[1] + i) * x.shape()[2] + k]);
    return r;
}
template<class V, class T>
bool equal(V const& view, std::vector<T> const& expected) {
    return std::vector<T>(view.begin(), view.end()) == expected;
}
template<class E>
using unfused = xg::function<xg::expression_list<E>, xg::program<xg::expression_list<E>, xg::no_updates, xg::gating::none, false>>;
}

TEST_CASE_TEMPLATE("every axis length and step against a loop", T, float, double, std::int32_t) {
    constexpr auto x = xg::input<"x", T, batch, steps, 3>;
    xg::function f{xg::outputs(xg::slice<1, 0, steps, 2>(x), xg::slice<1, 1, steps, 2>(x), xg::slice<-2, 2, steps - 1, 3>(x),
        xg::slice<1, steps - 3, steps>(x), xg::slice<1, 0, 3, 2>(x), xg::slice<2, 0, 3, 2>(x))};
    for (std::int64_t n = 3; n < 3 * test::width<float> + 2; ++n) {
        test::tensor<T> a({2, n, 3});
        for (std::int64_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i);
        auto const [even, odd, third, last, front, columns] = f(x = a);
        CHECK(even.shape(1) == (n + 1) / 2);
        CHECK(equal(even, sliced(a, 0, n, 2)));
        CHECK(equal(odd, sliced(a, 1, n, 2)));
        CHECK(equal(third, sliced(a, 2, n - 1, 3)));
        CHECK(equal(last, sliced(a, n - 3, n, 1)));
        CHECK(equal(front, sliced(a, 0, 3, 2)));
        CHECK(columns.shape(2) == 2);
        for (std::int64_t i = 0; i < columns.size(); ++i) CHECK(columns[i] == a[i / 2 * 3 + i % 2 * 2]);
    }
}

TEST_CASE("extents of a slice are canonical") {
    constexpr auto x = xg::input<"x", float, batch, steps>;
    constexpr auto y = xg::slice<1, 0, steps - 1, 2>(x);
    static_assert(xg::value_of<decltype(y)>.dims == xg::make_shape<batch, steps / 2>());
    static_assert(xg::value_of<decltype(xg::slice<1, 0, steps / 2, 2>(y))>.dims == xg::make_shape<batch, (steps + 2) / 4>());
    constexpr auto z = xg::input<"z", float, batch, (steps + 2) / 4>;
    xg::function f{xg::slice<1, 0, steps / 2, 2>(y) + z};
    auto const a = test::numbers<float>({2, 9}), b = test::numbers<float>({2, 2});
    auto const sum = f(x = a, z = b);
    CHECK(sum(1, 1) == a[9 + 4] + b[3]);
    auto const wrong = test::numbers<float>({2, 3});
    CHECK_THROWS_AS(f(x = a, z = wrong), xg::shape_error);
    CHECK(xg::describe(f).find("[batch, (steps + 2)/4]") != std::string::npos);
}

TEST_CASE("gradients against finite differences, also of gradients") {
    using T = double;
    constexpr auto x = xg::input<"x", T, batch, steps, 2>;
    constexpr auto even = xg::slice<1, 0, steps, 2>(xg::exp(x));
    constexpr auto odd = xg::slice<1, 1, steps - 1, 3>(xg::square(x));
    constexpr auto tail = xg::slice<1, steps - 2, steps>(x);
    constexpr auto columns = xg::slice<2, 1, 2, 2>(xg::tanh(x));
    constexpr auto loss = xg::sum(xg::square(even)) + xg::sum(xg::tanh(odd)) + xg::sum(tail * tail * tail) + xg::sum(columns * columns);
    constexpr auto steep = xg::sum(xg::square(xg::gradient_of(loss, x)));
    for (std::int64_t n : {2, 3, 4, 7, 18}) {
        auto const a = test::numbers<T>({2, n, 2});
        auto const r = xg::check_gradients(loss, xg::wrt(x), x = a);
        CHECK_MESSAGE(r.ok, r.message);
        if (n > 4) continue;
        auto const s = xg::check_gradients(steep, xg::wrt(x), x = a);
        CHECK_MESSAGE(s.ok, s.message);
    }
}

TEST_CASE("static extents: the end cuts off inside and outside of the last step") {
    constexpr auto x = xg::input<"x", double, 10>;
    constexpr auto a = xg::slice<0, 1, 10, 4>(x);   // 1 5 9
    constexpr auto b = xg::slice<0, 0, 7, 3>(x);    // 0 3 6
    constexpr auto c = xg::slice<0, 2, 8, 3>(x);    // 2 5
    constexpr auto d = xg::slice<0, 3, 3, 2>(x);    // nothing
    constexpr auto e = xg::slice<0, 9, 10, 5>(x);   // 9
    constexpr auto loss = xg::sum(xg::square(a)) + xg::sum(xg::square(b)) + xg::sum(xg::square(c)) + xg::sum(d) + xg::sum(e);
    auto const in = test::numbers<double>({10});
    xg::function f{xg::gradient_of(loss, x)};
    auto const g = f(x = in);
    double const times[]{2, 2, 2, 2, 0, 4, 2, 0, 0, 2};
    for (std::int64_t i = 0; i < 10; ++i) CHECK(g[i] == doctest::Approx(times[i] * in[i] + (i == 9 ? 1 : 0)).epsilon(1e-15));
    unfused<decltype(xg::gradient_of(loss, x))> h{xg::gradient_of(loss, x)};
    auto const plain = h(x = in);
    for (std::int64_t i = 0; i < 10; ++i) CHECK(plain[i] == doctest::Approx(g[i]).epsilon(1e-15));
}

TEST_CASE("bounds that depend on a dimension are checked by the call, before anything is written") {
    constexpr auto x = xg::input<"x", float, steps>;
    constexpr auto w = xg::variable<"w", float, 2>;
    constexpr auto loss = xg::sum(xg::slice<0, steps - 2, steps>(x) * w);
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 1});
    std::vector<float> const one{1}, two{1, 2}, none;
    train(x = two);
    CHECK(train.value(w)[1] == -2);
    CHECK_THROWS_AS(train(x = one), xg::shape_error);
    CHECK_THROWS_WITH(train(x = one),
        "xgrad: the dimension \"steps\" = 1 is too small for this expression: an extent that depends on it would be negative, "
        "or a slice would end after it");
    CHECK(train.try_step(x = none).code == xg::status_code::dimension_too_small);
    CHECK(train.try_step(x = none).name == "steps");
    CHECK(train.value(w)[1] == -2);
    CHECK(train.global_step() == 1);
    train(x = two);   // and continues
    CHECK(train.value(w)[1] == -4);
    // an end that an axis may not reach
    xg::function front{xg::slice<0, 0, 2>(x)};
    CHECK(front(x = two)[1] == 2);
    CHECK_THROWS_AS(front(x = one), xg::shape_error);
    // begin = end is empty, not wrong
    xg::function rest{xg::slice<0, 2, steps, 2>(x)};
    CHECK(rest(x = two).size() == 0);
    xg::function down{xg::gradient_of(xg::slice<0, 2, steps, 2>(x), x)};
    auto const zeros = down(x = two);
    CHECK(zeros.size() == 2);
    CHECK(zeros[0] == 0);
    rest.reserve(steps = 4);
    std::vector<float> const four{1, 2, 3, 4};
    CHECK(rest(x = four)[0] == 3);
}
