// SPDX-License-Identifier: MIT
// The arrays of tests/reference/images.py, and the loss whose gradients it has.
#pragma once
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/rounding.hpp>

#include <initializer_list>
#include <string>
#include <utility>

namespace images {
namespace xg = xgrad;
using namespace xg::literals;

/// Line `name` of the file: rank, extents, elements.
template<class T = float>
test::tensor<T> given(std::string const& name) {
    static auto const lines = test::read_reference("images.txt");
    auto const found = lines.find(name);
    REQUIRE_MESSAGE(found != lines.end(), name);
    auto number = found->second.begin();
    std::vector<std::int64_t> shape(static_cast<std::size_t>(*number++));
    for (auto& e : shape) e = static_cast<std::int64_t>(*number++);
    test::tensor<T> r(shape);
    for (std::int64_t i = 0; i < r.size(); ++i) r[i] = static_cast<T>(*number++);
    return r;
}
/// A result against a line, or, for a gradient that is computed exactly, against its line too.
inline void compare(std::string const& name, auto const& view, double tolerance = 1e-5) {
    auto const expected = given<double>(name);
    std::vector<std::int64_t> const shape(view.shape().begin(), view.shape().end());
    CHECK_MESSAGE(shape == expected.shape(), name);
    if (shape != expected.shape()) return;
    double worst = 0;
    for (std::int64_t i = 0; i < expected.size(); ++i) {
        double const off = std::abs(static_cast<double>(view.data()[i]) - expected[i]) / std::max(1.0, std::abs(expected[i]));
        worst = off <= worst ? worst : off;
    }
    CHECK_MESSAGE(worst <= tolerance, name << ": " << worst);
}
template<class Results>
void compare_all(Results const& results, std::initializer_list<char const*> names, double tolerance = 1e-5) {
    auto name = names.begin();
    REQUIRE(names.size() == std::tuple_size_v<Results>);
    [&]<std::size_t... K>(std::index_sequence<K...>) { (compare(*name++, std::get<K>(results), tolerance), ...); }(
        std::make_index_sequence<std::tuple_size_v<Results>>{});
}
/// The sum of the elements of y times 1, 2, 3, 4, 5, 1, ...
template<class Y>
constexpr auto weighted(Y const& y) {
    constexpr xg::shape s = xg::value_of<Y>.dims;
    auto const k = xg::cast<float>(xg::arange<s.size().constant>());
    return xg::sum(y * xg::detail::reshaped_to<s>(1_c + k - 5_c * xg::floor(k / 5_c)));
}
}
