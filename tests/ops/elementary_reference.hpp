// SPDX-License-Identifier: MIT
// The numbers of tests/reference/elementary.py.
#pragma once
#include <support/reference.hpp>
#include <support/tensor.hpp>

namespace elementary {
inline std::vector<double> const& reference(std::string const& name) {
    static auto const all = test::read_reference("elementary.txt");
    return all.at(name);
}
/// Compares numbers with those of the reference; bit by bit if `relative` is 0.
template<class A>
void compare(std::string const& name, A const& found, double relative) {
    auto const& expected = reference(name);
    REQUIRE(static_cast<std::size_t>(found.size()) == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        double const value = static_cast<double>(found[static_cast<std::int64_t>(i)]);
        CAPTURE(name);
        CAPTURE(i);
        if (std::isnan(expected[i])) CHECK(std::isnan(value));
        else if (relative == 0 || std::isinf(expected[i]))
            CHECK((value == expected[i] && std::signbit(value) == std::signbit(expected[i])));
        else CHECK(value == doctest::Approx(expected[i]).epsilon(relative).scale(1));
    }
}
}   // namespace elementary
