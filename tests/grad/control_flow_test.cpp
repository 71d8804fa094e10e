// SPDX-License-Identifier: MIT
// Gradients through loops with a condition, branches, calls and gradients that the user writes: TensorFlow's numbers.
#include <support/function_of.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
constexpr auto x = xg::input<"x", double>;
constexpr auto y = xg::input<"y", double>;
constexpr auto v = xg::input<"v", double>;
constexpr auto a = xg::input<"a", double>;

struct below_100 : xg::region {
    static constexpr auto value(auto first, auto...) { return xg::less(first, 100_c); }
};
struct squared : xg::region {
    static constexpr auto value(auto u) { return xg::carry(u * u); }
};
struct multiplied : xg::region {
    static constexpr auto value(auto u) { return xg::carry(u * a); }
};
struct both_change : xg::region {
    static constexpr auto value(auto p, auto q) { return xg::carry(p * (p + q), p + q); }
};
struct square_is_added : xg::region {
    static constexpr auto value(auto p, auto q) { return xg::carry(p * p + q * q, q * q); }
};
struct stopped_square_is_added : xg::region {
    static constexpr auto value(auto p, auto q) {
        auto const next = xg::stop_gradient(q * q);
        return xg::carry(p * p + next, next);
    }
};
template<class... E>
auto function_for(std::tuple<E...> const& list) {
    return function_of<xg::expression_list<E...>, true>{list_of(list)};
}
}

TEST_CASE("C15 a loop of unknown length: v becomes its square") {
    auto const [r] = xg::while_loop<below_100, squared, 8>(xg::carry(v));
    auto f = function_for(std::tuple{r, xg::gradient_of(r, v), xg::gradient_of(r * r, v), xg::gradient_of(r + r, v)});
    auto const [value, once, product, sum] = f(v = 2.0);
    CHECK(value == 256);
    CHECK(once == 1024);
    CHECK(product == 524288);
    CHECK(sum == 2048);
}

TEST_CASE("C16 a loop of unknown length: an outer expression gets the sum over the iterations") {
    auto const [r] = xg::while_loop<below_100, multiplied, 8>(xg::carry(v));
    auto f = function_for(std::tuple_cat(std::tuple{r}, xg::gradients(r, a, v)));
    auto const [value, of_a, of_v] = f(v = 2.0, a = 3.0);
    CHECK(value == 162);
    CHECK(of_a == 216);
    CHECK(of_v == 81);
}

TEST_CASE("C17 a loop of unknown length: two carries, one or both of them differentiated") {
    auto const [rx, ry] = xg::while_loop<below_100, both_change, 8>(xg::carry(x, y));
    auto f = function_for(std::tuple_cat(xg::gradients(xg::ys(rx, ry), x, y), xg::gradients(rx, x, y)));
    auto const [both_x, both_y, first_x, first_y] = f(x = 3.0, y = 2.0);
    CHECK(both_x == 304);
    CHECK(both_y == 124);
    CHECK(first_x == 295);
    CHECK(first_y == 120);
}

TEST_CASE("C19 a loop of unknown length with stop_gradient in its body") {
    auto const [rx, ry] = xg::while_loop<below_100, square_is_added, 8>(xg::carry(x, y));
    auto f = function_for(std::tuple{xg::gradient_of(rx, y), xg::gradient_of(ry, y), xg::gradient_of(rx + ry, y)});
    auto const [first, second, sum] = f(x = 3.0, y = 2.0);
    CHECK(first == 136);
    CHECK(second == 32);
    CHECK(sum == 168);
    auto const stopped = std::get<0>(xg::while_loop<below_100, stopped_square_is_added, 8>(xg::carry(x, y)));
    static_assert(std::is_same_v<decltype(xg::gradient_of(stopped, y)), xg::none>);   // TensorFlow: 0
    auto g = function_for(std::tuple{xg::gradient_of(stopped, x)});
    CHECK(g(x = 3.0, y = 2.0) == 156);
}

TEST_CASE("C20 a loop without a gradient") {
    auto const [r] = xg::while_loop<below_100, squared>(xg::carry(v));
    auto f = function_for(std::tuple{xg::gradient_of(xg::stop_gradient(r) + v, v)});
    CHECK(f(v = 2.0) == 1);
}

namespace {
struct times_42 : xg::region {
    static constexpr auto value(auto u) { return 42_c * u; }
};
struct times_3 : xg::region {
    static constexpr auto value(auto u) { return 3_c * u; }
};
struct square_plus : xg::region {
    static constexpr auto value(auto u, auto b) { return u * u + b; }
};
}

TEST_CASE("C21 the branch that is taken, C23 a body that is called with its own result") {
    auto branch = function_for(std::tuple{xg::gradient_of(xg::cond<times_42, times_3>(xg::less(a, 2_c), x), x)});
    CHECK(branch(x = 10.0, a = 1.0) == 42);
    CHECK(branch(x = 10.0, a = 3.0) == 3);
    static_assert(std::is_same_v<decltype(xg::gradient_of(xg::cond<times_42, times_3>(xg::less(a, 2_c), x), a)), xg::none>);
    auto const called = xg::call<square_plus>(xg::call<square_plus>(x, v), y);
    auto f = function_for(std::tuple_cat(std::tuple{called}, xg::gradients(called, x, v)));
    auto const [value, of_x, of_inner] = f(x = 2.0, v = 1.0, y = 1.0);
    CHECK(value == 26);
    CHECK(of_x == 40);
    CHECK(of_inner == 10);
}

namespace {
struct same : xg::region {
    static constexpr auto value(auto u) { return u; }
};
struct tripled : xg::region {
    static constexpr auto value(auto, auto, auto g) { return 3_c * g; }
};
struct product : xg::region {
    static constexpr auto value(auto p, auto q) { return p * q; }
};
struct crossed : xg::region {   // each operand gets its own value as derivative
    static constexpr auto value(auto p, auto q, auto, auto g) { return std::tuple{g * p, g * q}; }
};
}

TEST_CASE("C24 gradients that the user writes are the ones that are taken") {
    auto const once = xg::custom_gradient<same, tripled>(x);
    auto f = function_for(std::tuple_cat(std::tuple{xg::gradient_of(xg::custom_gradient<same, tripled>(once), x)},
        xg::gradients(xg::custom_gradient<product, crossed>(x, y), x, y)));
    auto const [nine, of_x, of_y] = f(x = 3.0, y = 5.0);
    CHECK(nine == 9);
    CHECK(of_x == 3);
    CHECK(of_y == 5);
}
