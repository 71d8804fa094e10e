// SPDX-License-Identifier: MIT
// What the tests of losses against other tools share: operands of the files of numbers, values and gradients of a list of losses.
#pragma once
#include <ops/close.hpp>
#include <support/reference.hpp>
#include <support/tensor.hpp>

namespace losses_reference {
namespace xg = xgrad;
using namespace xg::literals;
using table = std::map<std::string, std::vector<double>>;

template<xg::fixed_string Name>
inline constexpr auto operand = xg::input<Name, double, 4, 7>;
inline constexpr auto x = operand<"x">;
inline constexpr auto w = operand<"w">;
inline constexpr auto v = xg::input<"v", double, 4>;

inline test::tensor<double> numbers(table const& t, std::string const& name, std::vector<std::int64_t> shape = {4, 7}) {
    test::tensor<double> r(std::move(shape));
    REQUIRE(t.at(name).size() == static_cast<std::size_t>(r.size()));
    std::copy(t.at(name).begin(), t.at(name).end(), r.data());
    return r;
}
/// The gradient of the sum of y times w, or times v for a number of each row.
template<class Y, class X>
constexpr auto slope(Y y, X at) {
    if constexpr (xg::value_of<Y>.dims.rank == 2) return xg::gradient_of(xg::sum(y * w), at);
    else if constexpr (xg::value_of<Y>.dims.rank == 1) return xg::gradient_of(xg::sum(y * v), at);
    else return xg::gradient_of(y, at);
}
/// The losses of one program, whose first operand is `at`, against the numbers of the table.
template<class X, class... Y>
void compare(table const& t, std::vector<std::string> const& names, double tolerance, X at, std::tuple<Y...>, auto const&... operands) {
    REQUIRE(names.size() == sizeof...(Y));
    xg::function f{xg::outputs(Y{}..., slope(Y{}, at)...)};
    auto const r = f(operands...);
    auto const each = [&]<std::size_t... K>(std::index_sequence<K...>) {
        (test::check_close(names[K], std::get<K>(r), t.at(names[K]), tolerance), ...);
        (test::check_close(names[K] + ".slope", std::get<sizeof...(Y) + K>(r), t.at(names[K] + ".slope"), tolerance), ...);
    };
    each(std::index_sequence_for<Y...>());
}
}   // namespace losses_reference
