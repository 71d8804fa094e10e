// SPDX-License-Identifier: MIT
// Broadcasting: values and gradients (summed back) of one program for each pair of shapes, against index arithmetic.
#include <support/tensor.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

template<class A, class B>
constexpr auto mixed(A const& a, B const& b) {
    return a * b - a / (1.5_c + xg::square(b)) + xg::maximum(a, b);
}

// The sums of the upstream gradient 2 e times the derivatives of e, for each element of `in`.
template<class T, class F>
std::vector<long double> summed_back(test::tensor<T> const& in, std::vector<std::int64_t> const& shape, std::int64_t n, F const& slope) {
    std::vector<long double> r(static_cast<std::size_t>(in.size()));
    auto where = in;   // of each position in the result the element of `in`
    for (std::int64_t i = 0; i < in.size(); ++i) where[i] = static_cast<T>(i);
    for (std::int64_t i = 0; i < n; ++i) r[static_cast<std::size_t>(test::broadcast_at(where, shape, i))] += slope(i);
    return r;
}

template<class T, class A, class B>
void check(A, B, std::vector<std::int64_t> a_shape, std::vector<std::int64_t> b_shape, std::vector<std::int64_t> shape) {
    auto const a = test::numbers<T>(a_shape, -1, 1, 3), b = test::numbers<T>(b_shape, -1, 1, 4);
    constexpr auto e = mixed(A{}, B{});
    xg::function f{xg::outputs(e, xg::gradient_of(xg::square(e), A{}), xg::gradient_of(xg::square(e), B{}))};
    auto const [r, at_a, at_b] = f(A{} = a, B{} = b);
    std::int64_t n = 1;
    for (auto s : shape) n *= s;
    auto const x = [&](std::int64_t i) -> long double { return test::broadcast_at(a, shape, i); };
    auto const y = [&](std::int64_t i) -> long double { return test::broadcast_at(b, shape, i); };
    auto const value = [&](std::int64_t i) { return x(i) * y(i) - x(i) / (1.5L + y(i) * y(i)) + std::max(x(i), y(i)); };
    auto const of_a =
        summed_back(a, shape, n, [&](std::int64_t i) { return 2 * value(i) * (y(i) - 1 / (1.5L + y(i) * y(i)) + (x(i) > y(i) ? 1 : 0)); });
    auto const of_b = summed_back(b, shape, n, [&](std::int64_t i) {
        long double const d = 1.5L + y(i) * y(i);
        return 2 * value(i) * (x(i) + 2 * x(i) * y(i) / (d * d) + (y(i) > x(i) ? 1 : 0));
    });
    auto const compare = [](char const* what, auto const& result, std::int64_t size, auto const& expected, double tolerance) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(result)>>) {
            REQUIRE(size == 1);
            CHECK(std::abs(result - expected(0)) <= tolerance * std::max(1.0L, std::abs(expected(0))));
        } else {
            REQUIRE(result.size() == size);
            test::check_near(what, result, expected, tolerance);
        }
    };
    double const tolerance = sizeof(T) == 4 ? 1e-6 : 1e-15;
    compare("values", r, n, value, tolerance);
    compare(
        "gradient of a", at_a, a.size(), [&](std::int64_t i) { return of_a[static_cast<std::size_t>(i)]; }, 20 * tolerance);
    compare(
        "gradient of b", at_b, b.size(), [&](std::int64_t i) { return of_b[static_cast<std::size_t>(i)]; }, 20 * tolerance);
}
template<class T, auto... D>
inline constexpr auto a = xg::input<"a", T, D...>;
template<class T, auto... D>
inline constexpr auto b = xg::input<"b", T, D...>;
}

TEST_CASE("broadcasting of vectors, rows and columns") {
    for (std::int64_t n : {0, 1, 4, 9}) {
        CAPTURE(n);
        check<double>(a<double, batch, 5>, b<double>, {n, 5}, {}, {n, 5});
        check<double>(a<double, batch, 5>, b<double, 5>, {n, 5}, {5}, {n, 5});
        check<double>(a<double, batch, 1>, b<double, batch, 5>, {n, 1}, {n, 5}, {n, 5});
        check<double>(a<double, 1, 5>, b<double, batch, 5>, {1, 5}, {n, 5}, {n, 5});
        check<double>(a<double, batch, 1>, b<double, 1, 5>, {n, 1}, {1, 5}, {n, 5});
        check<double>(a<double, 5>, b<double, batch, 1>, {5}, {n, 1}, {n, 5});
        check<float>(a<float, batch, 1>, b<float, batch, 5>, {n, 1}, {n, 5}, {n, 5});
    }
}

TEST_CASE("broadcasting in the middle and to new axes") {
    for (std::int64_t n : {1, 3}) {
        CAPTURE(n);
        check<double>(a<double, batch, 1, 3>, b<double, batch, 4, 3>, {n, 1, 3}, {n, 4, 3}, {n, 4, 3});
        check<double>(a<double, batch, 4, 1>, b<double, 4, 3>, {n, 4, 1}, {4, 3}, {n, 4, 3});
        check<double>(a<double, 2, 1, 4, 1>, b<double, batch, 1, 3>, {2, 1, 4, 1}, {n, 1, 3}, {2, n, 4, 3});
        check<float>(a<float, batch, 1, 3>, b<float, 4, 1>, {n, 1, 3}, {4, 1}, {n, 4, 3});
        check<double>(a<double>, b<double>, {}, {}, {});
    }
}
