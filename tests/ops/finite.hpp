// SPDX-License-Identifier: MIT
// What the tests of finite derivatives share: an input and a comparison with numbers.
#pragma once
#include <support/tensor.hpp>

#include <xgrad/ops/no_nan.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace finite_derivatives {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
template<class T>
inline constexpr auto x = xg::input<"x", T, batch>;

template<class R>
void all_are(char const* what, R const& r, std::initializer_list<double> expected, double tolerance = 1e-6) {
    CAPTURE(what);
    REQUIRE(static_cast<std::size_t>(r.size()) == expected.size());
    std::int64_t i = 0;
    for (double const e : expected) {
        CAPTURE(i);
        double const v = static_cast<double>(r[i++]);
        CHECK((v == e || std::abs(v - e) <= tolerance * std::abs(e)));
    }
}
}   // namespace finite_derivatives
