// SPDX-License-Identifier: MIT
// Values and gradients of an expression compared with those of another tool.
#pragma once
#include <ops/close.hpp>
#include <support/reference.hpp>

#include <string>
#include <tuple>

namespace test {
/// The numbers `name` are y, and `name.part` the gradients of the sum of y · w, one for each x.
template<class Y, class W, class... X>
void check_against(std::map<std::string, std::vector<double>> const& table, std::string const& name, double tolerance, Y, W,
    std::tuple<X...> const&, std::vector<std::string> const& parts, auto const&... bound) {
    constexpr auto all = std::apply([](auto... g) { return xg::outputs(Y{}, g...); }, xg::gradients(Y{}, xg::grad_ys(W{}), X{}...));
    xg::function f{all};
    auto const r = f(bound...);
    check_close(name, std::get<0>(r), table.at(name), tolerance);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
        (check_close(name + "." + parts[K], std::get<K + 1>(r), table.at(name + "." + parts[K]), tolerance), ...);
    }(std::index_sequence_for<X...>{});
}
template<class T>
tensor<T> from_table(std::vector<double> const& numbers, std::vector<std::int64_t> shape) {
    tensor<T> r(std::move(shape));
    for (std::int64_t i = 0; i < r.size(); ++i) r[i] = static_cast<T>(numbers.at(static_cast<std::size_t>(i)));
    return r;
}
}
