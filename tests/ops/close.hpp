// SPDX-License-Identifier: MIT
// Results that are near numbers of another tool. NaN is equal to NaN.
#pragma once
#include <support/tensor.hpp>

#include <algorithm>
#include <cmath>

namespace test {
template<class T>
bool same(T a, T b) {
    return a == b || (a != a && b != b);
}
void check_close(std::string const& what, auto const& result, std::vector<double> const& expected, double tolerance = 1e-12) {
    CAPTURE(what);
    std::vector<double> got;
    if constexpr (requires { result.begin(); }) got.assign(result.begin(), result.end());
    else got.push_back(static_cast<double>(result));
    REQUIRE(got.size() == expected.size());
    bool all = true;
    for (std::size_t k = 0; k < got.size(); ++k)
        all = all && (same(got[k], expected[k]) || std::abs(got[k] - expected[k]) <= tolerance * std::max(1.0, std::abs(expected[k])));
    CHECK(all);
}
}
