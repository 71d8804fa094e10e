// SPDX-License-Identifier: MIT
// Numbers of JAX from reference/derivatives.txt, and differences to compare with.
#pragma once

#include <support/tensor.hpp>

#include <xgrad/grad/jacobian.hpp>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace derivatives {
namespace xg = xgrad;
/// Input number k of reference/derivatives.py.
template<class T = double>
test::tensor<T> numbers(std::int64_t k, std::vector<std::int64_t> shape) {
    test::tensor<T> r(std::move(shape));
    for (std::int64_t i = 0; i < r.size(); ++i) r[i] = static_cast<T>((7 * i + 3 * k) % 13 - 6) / 8;
    return r;
}
/// The net of reference/derivatives.py.
template<class T>
struct net {
    static constexpr auto x = xg::input<"x", T, 3, 4>;
    static constexpr auto w = xg::input<"w", T, 4, 5>;
    static constexpr auto b = xg::input<"b", T, 5>;
    static constexpr auto v = xg::input<"v", T, 5, 2>;
    static constexpr auto label = xg::input<"label", std::int32_t, 3>;
    static constexpr auto tx = xg::input<"tx", T, 3, 4>;
    static constexpr auto tw = xg::input<"tw", T, 4, 5>;
    static constexpr auto tb = xg::input<"tb", T, 5>;
    static constexpr auto seed = xg::input<"seed", T, 3, 2>;
    static constexpr auto y = xg::matmul(xg::tanh(xg::matmul(x, w) + b), v);
    static constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(y, label));
};
template<class T, class F>
auto call_net(F& f) {
    using n = net<T>;
    static auto const X = numbers<T>(0, {3, 4}), W = numbers<T>(1, {4, 5}), B = numbers<T>(2, {5}), V = numbers<T>(3, {5, 2});
    static auto const TX = numbers<T>(4, {3, 4}), TW = numbers<T>(5, {4, 5}), TB = numbers<T>(6, {5}), S = numbers<T>(7, {3, 2});
    static auto const L = test::list<std::int32_t>({1, 0, 1});
    return f(n::x = X, n::w = W, n::b = B, n::v = V, n::label = L, n::tx = TX, n::tw = TW, n::tb = TB, n::seed = S);
}
template<class T>
constexpr double tolerance = sizeof(T) == 4 ? 3e-6 : 1e-14;
/// The numbers of JAX for "case quantity".
inline std::vector<double> const& of_jax(std::string const& name) {
    static std::map<std::string, std::vector<double>> const all = [] {
        std::map<std::string, std::vector<double>> r;
        std::ifstream file(XGRAD_TEST_DATA "/derivatives.txt");
        std::string line, first, second;
        while (std::getline(file, line)) {
            std::istringstream words(line);
            words >> first >> second;
            auto& values = r[first + " " + second];
            for (double v = 0; words >> v;) values.push_back(v);
        }
        return r;
    }();
    auto const found = all.find(name);
    REQUIRE_MESSAGE(found != all.end(), name);
    return found->second;
}
/// Compares a result with numbers, in units of the largest of them.
template<class View>
void check_all(std::string const& name, View const& view, std::vector<double> const& expected, double tolerance) {
    REQUIRE_MESSAGE(static_cast<std::size_t>(view.size()) == expected.size(), name);
    double scale = 1e-300, worst = 0;
    for (double const e : expected) scale = std::max(scale, std::abs(e));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        double const off = std::abs(static_cast<double>(view[static_cast<std::int64_t>(i)]) - expected[i]) / scale;
        if (!(off <= worst)) worst = off;
    }
    CHECK_MESSAGE(worst <= tolerance, name);
}
template<class View>
void check_jax(std::string const& name, View const& view, double tolerance) {
    check_all(name, view, of_jax(name), tolerance);
}
/// The central difference of f in element i of x.
template<class F>
std::vector<double> slope(F const& f, test::tensor<double> x, std::int64_t i, double step = 1e-5) {
    double const at = x[i];
    x[i] = at + step;
    std::vector<double> r = f(x);
    x[i] = at - step;
    std::vector<double> const below = f(x);
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = (r[k] - below[k]) / (2 * step);
    return r;
}
/// The Jacobian of f by differences, [y, x].
template<class F>
std::vector<double> jacobian_by_differences(F const& f, test::tensor<double> const& x) {
    std::vector<double> r;
    auto const columns = static_cast<std::size_t>(x.size());
    for (std::size_t i = 0; i < columns; ++i) {
        std::vector<double> const column = slope(f, x, static_cast<std::int64_t>(i));
        r.resize(column.size() * columns);
        for (std::size_t k = 0; k < column.size(); ++k) r[k * columns + i] = column[k];
    }
    return r;
}
}   // namespace derivatives
