// SPDX-License-Identifier: MIT
// The numbers of tests/reference/special.py and special_integrals.py.
#pragma once
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <string>

namespace special {
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};

inline std::vector<double> const& reference(std::string const& name) {
    static auto const all = [] {
        auto r = test::read_reference("special.txt");
        r.merge(test::read_reference("special_integrals.txt"));
        return r;
    }();
    return all.at(name);
}
/// |found − expected| <= relative · |expected| + absolute, element by element.
template<class A>
void compare(std::string const& name, A const& found, double relative, double absolute = 0) {
    auto const& expected = reference(name);
    REQUIRE(static_cast<std::size_t>(found.size()) == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        double const value = static_cast<double>(found[static_cast<std::int64_t>(i)]);
        CAPTURE(name);
        CAPTURE(i);
        CAPTURE(value);
        CAPTURE(expected[i]);
        CHECK((value == expected[i] || std::abs(value - expected[i]) <= relative * std::abs(expected[i]) + absolute));
    }
}
/// First and second derivative of one operand at the points `name.at0`.
template<class F>
void check_derivatives(std::string const& name, F const& f, double relative = 4e-15, double absolute = 0) {
    constexpr auto x = xg::input<"x", double, batch>;
    auto const first = xg::gradient_of(f(x), x);
    xg::function g{xg::outputs(first, xg::gradient_of(first, x))};
    auto const [slopes, second] = g(x = reference(name + ".at0"));
    compare(name + ".first", slopes, relative, absolute);
    compare(name + ".second", second, 4 * relative, 4 * absolute);
}
}   // namespace special
