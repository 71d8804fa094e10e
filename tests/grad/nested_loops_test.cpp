// SPDX-License-Identifier: MIT
// Derivatives of a loop in a loop, and of a loop whose body takes derivatives, against differences. No loop of a jvp runs backwards.
#include "derivatives.hpp"

#include <support/copy.hpp>

#include <xgrad/inspect/describe.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using derivatives::check_all, derivatives::numbers;
constexpr auto w = xg::input<"w", double, 3, 3>;
constexpr auto t = xg::input<"t", double, 3, 3>;
constexpr auto x = xg::input<"x", double, 4, 2, 3>;
constexpr auto h = xg::input<"h", double, 2, 3>;

struct inner : xg::region {
    static constexpr auto value(auto state) { return xg::carry(xg::tanh(xg::matmul(state, w))); }
};
struct outer : xg::region {
    static constexpr auto value(auto state, auto row) {
        auto const next = std::get<0>(xg::scan<inner, 3>(xg::carry(state + row)));
        return xg::carry(next).emit(xg::square(next));
    }
};
struct with_jvp : xg::region {
    static constexpr auto value(auto state, auto row) {
        auto const next = xg::tanh(xg::matmul(state, w) + row);
        return xg::carry(next).emit(xg::jvp(next, state, row));
    }
};
template<class Y>
void check(Y y, char const* name) {
    xg::function f{y};
    xg::function g{xg::outputs(xg::jvp(y, w, t), xg::jacobian(y, w))};
    auto const X = numbers(10, {4, 2, 3}), H = numbers(11, {2, 3}), W = numbers(12, {3, 3}), T = numbers(13, {3, 3});
    auto const expected =
        derivatives::jacobian_by_differences([&](test::tensor<double> const& v) { return test::copy<double>(f(w = v, h = H, x = X)); }, W);
    auto const [along, jacobian] = g(w = W, h = H, x = X, t = T);
    check_all(name, jacobian, expected, 1e-8);
    std::vector<double> product(6);
    for (std::size_t i = 0; i < 54; ++i) product[i / 9] += expected[i] * T[static_cast<std::int64_t>(i % 9)];
    check_all(name, along, product, 1e-8);
}
constexpr auto nested = xg::sum<0>(std::get<1>(xg::scan<outer>(xg::carry(h), x)));
}

TEST_CASE("a loop in a loop") {
    check(nested, "nested");
    std::string const text = xg::describe<decltype(xg::function{xg::jvp(nested, w, t)})>();
    CHECK(text.find("backwards") == std::string::npos);
    CHECK(xg::describe<decltype(xg::function{xg::vjp(nested, w, nested)})>().find("backwards") != std::string::npos);
}
TEST_CASE("a body that takes the derivative along a row") {
    check(xg::sum<0>(std::get<1>(xg::scan<with_jvp>(xg::carry(h), x))), "in a body");
}
