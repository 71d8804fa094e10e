// SPDX-License-Identifier: MIT
// What the generated tests of tests/plan/fuzz run: an expression with the planner on and off, against values computed by NumPy.
#pragma once

#include <doctest/doctest.h>

#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace fuzz {
namespace xg = xgrad;

inline constexpr xg::dim b{"b"};
inline constexpr xg::dim t{"t"};

/// Element i of the leaf number k; generate.py has the same formula.
inline double number(std::uint32_t k, std::uint32_t i) {
    std::uint32_t h = (i + 1) * 2654435761u ^ (k + 1) * 40503u * 65537u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    h ^= h >> 16;
    return static_cast<double>(h) / 2147483648.0 - 1.0;
}
template<class T>
std::vector<T> numbers(std::uint32_t k, std::size_t n) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(number(k, static_cast<std::uint32_t>(i)));
    return v;
}
inline std::vector<std::int32_t> ids(std::uint32_t k, std::size_t n, int limit) {
    std::vector<std::int32_t> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<std::int32_t>((number(k, static_cast<std::uint32_t>(i)) + 1.0) / 2.0 * limit);
    return v;
}

template<class G>
constexpr auto as_tuple(G const& g) {
    if constexpr (std::is_same_v<G, xg::none>) return std::tuple<>{};
    else if constexpr (xg::Expr<G>) return std::tuple(g);
    else return std::tuple(g.dense);
}
template<class... G>
constexpr auto connected(std::tuple<G...> const& all) {
    return std::apply([](auto const&... g) { return std::tuple_cat(as_tuple(g)...); }, all);
}
/// The gradients of the squares of gradients, with respect to `x`.
template<class Slopes, class X>
constexpr auto second(Slopes const& slopes, X const& x) {
    constexpr auto c = connected(Slopes{});
    (void)slopes;
    if constexpr (std::tuple_size_v<std::remove_const_t<decltype(c)>> == 0) return std::tuple<>{};
    else return xg::gradients(std::apply([](auto const&... g) { return (xg::sum(xg::square(g)) + ...); }, c), x);
}
template<class... E>
constexpr auto list_of(std::tuple<E...>) {
    return xg::expression_list<E...>{};
}

template<class R>
std::vector<std::vector<double>> copies(R const& r) {
    std::vector<std::vector<double>> out;
    auto one = [&](auto const& v) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(v)>>) out.push_back({static_cast<double>(v)});
        else out.emplace_back(v.begin(), v.end());
    };
    if constexpr (requires { std::tuple_size<R>::value; }) std::apply([&](auto const&... v) { (one(v), ...); }, r);
    else one(r);
    return out;
}
void compare(std::vector<double> const& a, std::vector<double> const& e, double tolerance, char const* what, std::size_t output);

/// `call(f, sizes...)` calls a function with arrays of the given sizes. `expected` are outputs for b = 9, t = 2.
/// It has one list for each value and each connected gradient (empty: not compared).
template<class Values, class Gradients, class Call>
void run(Values, Gradients, Call const& call, std::vector<std::vector<double>> const& expected, double tolerance) {
    using list = decltype(list_of(std::tuple_cat(Values{}, connected(Gradients{}))));
    xg::function<list, xg::program<list>> on{list{}};
    xg::function<list, xg::program<list, xg::no_updates, xg::gating::none, false>> off{list{}};
    std::size_t const sizes[][2] = {{9, 2}, {1, 1}, {4, 3}, {0, 2}, {5, 0}, {35, 1}, {9, 2}};
    bool first = true;
    for (auto const& s : sizes) {
        CAPTURE(s[0]);
        CAPTURE(s[1]);
        auto const a = copies(call(on, s[0], s[1])), e = copies(call(off, s[0], s[1]));
        REQUIRE(a.size() == e.size());
        for (std::size_t k = 0; k < a.size(); ++k) {
            compare(a[k], e[k], tolerance, "planner on and off", k);
            if (first && k < expected.size() && !expected[k].empty())
                compare(a[k], expected[k], k < std::tuple_size_v<Values> ? tolerance : 1e-4, "NumPy", k);
        }
        first = false;
    }
}

}   // namespace fuzz
