// SPDX-License-Identifier: MIT
// The numbers of tests/reference/signals.py.
#pragma once
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace signals {
inline std::vector<double> const& numbers(std::string const& name) {
    static auto const all = test::read_reference("signals.txt");
    return all.at(name);
}
inline test::tensor<double> known(std::string const& name, std::vector<std::int64_t> shape) {
    test::tensor<double> r(std::move(shape));
    std::vector<double> const& e = numbers(name);
    REQUIRE(static_cast<std::int64_t>(e.size()) == r.size());
    std::copy(e.begin(), e.end(), r.data());
    return r;
}
template<class R>
void check_known(std::string const& name, R const& result, double tolerance = 1e-13) {
    auto const e = known(name, {result.size()});
    for (std::int64_t i = 0; i < result.size(); ++i) {
        double const found = static_cast<double>(result[i]);
        CAPTURE(name);
        CAPTURE(i);
        CAPTURE(found);
        CAPTURE(e[i]);
        CHECK(
            (std::isnan(e[i]) ? std::isnan(found) : found == e[i] || std::abs(found - e[i]) <= tolerance * std::max(1.0, std::abs(e[i]))));
    }
}
}   // namespace signals
