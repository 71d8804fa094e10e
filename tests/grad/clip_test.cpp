// SPDX-License-Identifier: MIT
// Gradients that are clipped by their common norm, dense and sparse ones together: TensorFlow's numbers, in every gating.
#include <xgrad/xgrad.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim count{"count"};
template<class T>
struct model {
    static constexpr auto w = xg::variable<"w", T, 4, 3>;
    static constexpr auto t = xg::variable<"t", T, 5, 3>;
    static constexpr auto apart = xg::variable<"apart", T, 2>;   // the loss does not depend on it
    static constexpr auto g = xg::input<"g", T, 4, 3>;
    static constexpr auto values = xg::input<"values", T, count, 3>;
    static constexpr auto ids = xg::input<"ids", std::int32_t, count>;
    static constexpr auto loss = xg::sum(w * g) + xg::sum(xg::gather(t, ids) * values);   // gradients: what is fed
    static constexpr auto gradients = xg::compute_gradients(loss, w, apart, t);
    static constexpr auto clipped = xg::clip_by_global_norm(gradients, 1_c);
    static constexpr auto dw = std::get<0>(clipped);
    static constexpr auto dt = std::get<2>(clipped);
    static constexpr auto outputs = xg::global_norm(gradients);
};

template<class T>
std::vector<T> numbers(std::size_t factor, std::size_t n) {
    std::vector<T> r;
    for (std::size_t i = 0; i < n; ++i) r.push_back(static_cast<T>((static_cast<double>((factor * i) % 8) - 4) / 4));
    return r;
}
template<class T>
std::vector<T> gradient(std::size_t step, std::size_t n) {
    std::vector<T> r;
    double const size[]{0, 1, 0.125};
    for (std::size_t i = 0; i < n; ++i)
        r.push_back(static_cast<T>(size[step % 3] * (static_cast<double>((7 * i + 5 * step + 3) % 16) - 8) / 16));
    return r;
}

template<class T, xg::gating Gate>
void compare(std::string const& type, double tolerance) {
    using M = model<T>;
    auto train = xg::apply_gradients<Gate>(xg::adam{.learning_rate = .05}, M::outputs, xg::with_variable(M::dw, M::w),
        xg::with_variable(std::get<1>(M::clipped), M::apart), xg::with_variable(M::dt, M::t));
    auto linked = xg::apply_gradients<Gate>(xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = .05}), M::outputs,
        xg::with_variable(std::get<0>(M::gradients), M::w), xg::with_variable(std::get<2>(M::gradients), M::t));
    xg::function gradients{xg::outputs(M::dw, M::dt.values), train};
    for (auto* owner : {static_cast<xg::variable_owner*>(&train), static_cast<xg::variable_owner*>(&linked)}) {
        owner->assign(M::w, xg::array(numbers<T>(3, 12).data(), 4, 3));
        owner->assign(M::t, xg::array(numbers<T>(5, 15).data(), 5, 3));
    }
    std::ifstream file(XGRAD_TEST_DATA "/clipping.txt");
    std::size_t step = 0, lines = 0;
    T norm = 0;
    for (std::string found, quantity; file >> found >> step >> quantity;) {
        std::size_t const n = quantity == "norm" ? 1 : quantity == "values" ? 9 : quantity == "t" ? 15 : 12;
        std::vector<double> expected(n);
        for (double& e : expected) file >> e;
        if (found != type) continue;
        ++lines;
        auto const in = gradient<T>(step, 12), slices = gradient<T>(step, 9);
        auto const s = static_cast<std::int32_t>(step);
        std::vector<std::int32_t> const rows{s % 5, (3 * s + 1) % 5, s % 5};
        auto const call = [&](auto& f) {
            return f(M::g = xg::array(in.data(), 4, 3), M::values = xg::array(slices.data(), 3, 3), M::ids = rows);
        };
        auto const check = [&](auto const& view) {
            REQUIRE(view.size() == static_cast<std::int64_t>(n));
            for (std::size_t i = 0; i < n; ++i)
                CHECK(std::fabs(static_cast<double>(view[static_cast<std::int64_t>(i)]) - expected[i]) <= tolerance);
        };
        if (quantity == "norm") {
            auto const [dw, values] = call(gradients);
            norm = call(train);
            call(linked);
            CHECK(static_cast<double>(norm) == doctest::Approx(expected[0]).epsilon(tolerance));
            double all = 0;
            for (T e : dw) all += static_cast<double>(e * e);
            for (T e : values) all += static_cast<double>(e * e);
            CHECK(std::sqrt(all) == doctest::Approx(std::fmin(expected[0], 1)).epsilon(1e-6));
        } else if (quantity == "dw") check(std::get<0>(call(gradients)));
        else if (quantity == "values") check(std::get<1>(call(gradients)));
        else if (quantity == "w") check(train.value(M::w)), check(linked.value(M::w));
        else check(train.value(M::t)), check(linked.value(M::t));
    }
    CHECK(lines == 30);
}

}   // namespace

TEST_CASE("TensorFlow's clip_by_global_norm, of a dense gradient and of slices with a row that occurs twice, before Adam") {
    compare<float, xg::gating::none>("float", 2e-6);
    compare<double, xg::gating::none>("double", 1e-12);
    compare<double, xg::gating::op>("double", 1e-12);
    compare<double, xg::gating::graph>("double", 1e-12);
}

TEST_CASE("a global norm after a bound is of the bounded sums, also of a row that occurs twice") {
    using M = model<double>;
    auto train =
        xg::apply_gradients(xg::chain(xg::clip_by_value(-5, 5), xg::clip_by_global_norm(1), xg::gradient_descent{.learning_rate = 1}),
            M::outputs, xg::with_variable(std::get<0>(M::gradients), M::w), xg::with_variable(std::get<2>(M::gradients), M::t));
    std::vector<double> const zeros(15), slices{3, 0, 0, 0, 0, 0, 3, 0, 0};   // 3 + 3 is bounded to 5, which is the norm
    std::vector<std::int32_t> const rows{1, 0, 1};
    train.assign(M::w, xg::array(zeros.data(), 4, 3));
    train.assign(M::t, xg::array(zeros.data(), 5, 3));
    train(M::g = xg::array(zeros.data(), 4, 3), M::values = xg::array(slices.data(), 3, 3), M::ids = rows);
    auto const t = train.value(M::t);
    for (std::int64_t i = 0; i < t.size(); ++i) CHECK(t[i] == doctest::Approx(i == 3 ? -1 : 0));
}

TEST_CASE("kinds of gradients stay what they are") {
    using M = model<double>;
    static_assert(xg::DenseGradient<decltype(M::dw)> && xg::SparseGradient<decltype(M::dt)>);
    static_assert(xg::NoGradient<std::remove_cvref_t<decltype(std::get<1>(M::clipped))>>);
    static_assert(std::is_same_v<decltype(M::dt.indices), decltype(std::get<2>(M::gradients).indices)>);
    static_assert(xg::value_of<decltype(M::dt.dense)>.dims == xg::value_of<decltype(M::t)>.dims);
}

TEST_CASE("a norm that is not finite makes everything NaN, as TensorFlow does") {
    using M = model<double>;
    xg::variables owner{M::dw};
    xg::function f{xg::outputs(M::dw, M::dt.values), owner};
    for (double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        auto in = gradient<double>(1, 12);
        auto const slices = gradient<double>(1, 9);
        std::vector<std::int32_t> const rows{0, 1, 2};
        in[5] = bad;
        auto const [dw, values] = f(M::g = xg::array(in.data(), 4, 3), M::values = xg::array(slices.data(), 3, 3), M::ids = rows);
        for (double e : dw) CHECK(std::isnan(e));
        for (double e : values) CHECK(std::isnan(e));
    }
}

TEST_CASE("G11 G15 a norm of several tensors, slices and none among them") {
    constexpr auto a = xg::input<"a", double, 6>;
    constexpr auto b = xg::input<"b", double, 2, 1>;
    constexpr auto rows = xg::input<"rows", std::int32_t, 2>;
    constexpr auto table = xg::variable<"table", double, 9, 1>;
    constexpr auto list = std::tuple{a, xg::none{}, xg::indexed_slices{b, rows, table}};
    constexpr auto clipped = xg::clip_by_global_norm(list, 4_c);
    static_assert(xg::NoGradient<std::remove_cvref_t<decltype(std::get<1>(clipped))>>);
    static_assert(xg::SparseGradient<std::remove_cvref_t<decltype(std::get<2>(clipped))>>);
    xg::function f{xg::outputs(xg::global_norm(list), std::get<0>(clipped), std::get<2>(clipped).values)};
    auto const [norm, first, second] = f(a = std::vector<double>{-2, 0, 0, 4, 0, 0}, b = xg::array(std::array{1.0, -2.0}.data(), 2, 1));
    CHECK(norm == doctest::Approx(5).epsilon(1e-15));
    double const expected[] = {-1.6, 0, 0, 3.2, 0, 0};
    for (int i = 0; i < 6; ++i) CHECK(first[i] == doctest::Approx(expected[i]).epsilon(1e-15));
    CHECK(second[0] == doctest::Approx(.8).epsilon(1e-15));
    CHECK(second[1] == doctest::Approx(-1.6).epsilon(1e-15));
    auto const [tasks, large, zero] = f(a = std::vector<double>{10, 15, 0, 5, 0, 0}, b = xg::array(std::array{0.0, 0.0}.data(), 2, 1));
    CHECK(tasks == doctest::Approx(18.708286933869708).epsilon(1e-15));
    CHECK(large[1] == doctest::Approx(60 / 18.708286933869708).epsilon(1e-15));
    CHECK(zero[0] == 0);
    CHECK(zero[1] == 0);
}

TEST_CASE("a limit that is an input") {
    constexpr auto v = xg::variable<"v", double, 2>;
    constexpr auto g = xg::input<"g", double, 2>;
    constexpr auto limit = xg::input<"limit", double>;
    constexpr auto clipped = xg::clip_by_global_norm(xg::compute_gradients(xg::sum(v * g), v), limit);
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 1}, xg::sum(v), xg::with_variable(std::get<0>(clipped), v));
    train(g = std::vector<double>{3, 4}, limit = 1.0);
    CHECK(train.value(v)[0] == doctest::Approx(-.6).epsilon(1e-15));
    CHECK(train.value(v)[1] == doctest::Approx(-.8).epsilon(1e-15));
}

TEST_CASE_TEMPLATE("G10 C28 an expression that is clipped by its norm, whole or along axes, and its gradient", T, float, double) {
    constexpr auto x = xg::input<"x", T, 2, 3>;
    constexpr auto weights = xg::input<"weights", T, 2, 3>;
    constexpr auto limit = xg::input<"limit", T>;
    constexpr auto whole = xg::clip_by_norm(x, limit);
    constexpr auto columns = xg::clip_by_norm<0>(x, limit);
    constexpr auto rows = xg::clip_by_norm<1>(x, limit);
    constexpr auto loss = xg::sum(weights * (whole + xg::square(columns) + rows));
    xg::function f{xg::outputs(whole, columns, rows, xg::gradient_of(xg::sum(whole), x))};
    auto const near = [](auto const& view, std::vector<double> const& expected) {
        std::vector<T> const found(view.begin(), view.end());
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            CHECK(static_cast<double>(found[i]) == doctest::Approx(expected[i]).epsilon(sizeof(T) == 8 ? 1e-15 : 1e-6));
    };
    auto const at = [&](std::vector<T> const& values, T max_norm, auto const& look) {
        look(f(x = xg::array(values.data(), 2, 3), limit = max_norm));
    };
    at({-3, 0, 0, 4, 0, 0}, 4, [&](auto const& r) { near(std::get<0>(r), {-2.4, 0, 0, 3.2, 0, 0}); });
    at({-3, 0, 0, 4, 0, 3}, 4, [&](auto const& r) {
        near(std::get<1>(r), {-2.4, 0, 0, 3.2, 0, 3});
        near(std::get<2>(r), {-3, 0, 0, 3.2, 0, 2.4});
    });
    at({0, 0, 0, 0, 0, 0}, 1, [&](auto const& r) {
        near(std::get<0>(r), {0, 0, 0, 0, 0, 0});
        near(std::get<3>(r), {1, 1, 1, 1, 1, 1});
    });
    std::vector<T> const start{T(.5), -2, T(.25), 3, T(-.125), 1}, factors{1, T(-.5), 2, T(.25), -1, T(.75)};
    for (T const max_norm : {T(1.5), T(20)}) {   // clipped and not
        auto const found = xg::check_gradients(
            loss, xg::wrt(x, weights), x = xg::array(start.data(), 2, 3), weights = xg::array(factors.data(), 2, 3), limit = max_norm);
        CHECK_MESSAGE(found.ok, found.message);
    }
}
