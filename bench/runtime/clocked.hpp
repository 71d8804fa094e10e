// SPDX-License-Identifier: MIT
// What the benches of update rules share: a rule with its counters, and how far two sides are apart.
#pragma once

#include <xgrad/optim/optim.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {

/// The counters of a rule as the optimizer keeps them: prepared before an apply, advanced after it.
template<class Rule>
struct clocked {
    Rule rule;
    std::int64_t step = 0;
    double powers[xgrad::power_count<Rule> + 1] = {};

    explicit clocked(Rule const& r) : rule(r) { xgrad::init_powers_of(rule, powers); }
    typename Rule::template scalars<float> prepare() const { return rule.template prepare<float>(step, powers); }
    void advance() { xgrad::advance_powers_of(rule, powers, step++); }
    /// The same of a rule with reductions over all variables.
    typename Rule::template scalars<float> prepare(double const* reduced) const {
        return rule.template prepare<float>(step, powers, reduced);
    }
    void advance(double const* reduced) { xgrad::advance_powers_of(rule, powers, step++, reduced); }
};

/// The largest difference; of numbers above 1 relative to them.
inline double distance(float const* a, float const* b, std::size_t n) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double const d = std::abs(double(a[i]) - double(b[i])) / std::max(1.0, std::abs(double(b[i])));
        if (d > largest || d != d) largest = d;   // NaN stays, and is no agreement
    }
    return largest;
}

}   // namespace bench
