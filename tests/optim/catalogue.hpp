// SPDX-License-Identifier: MIT
// What each rule of the catalogue is held to: twenty steps of its tool, and what is true of every rule.
#pragma once

#include <algorithm>
#include <string>

#include "optim/reference.hpp"

namespace xgrad_test {

inline reference const& catalogue() {
    static reference const values(XGRAD_TEST_DATA "/rules.txt", 1);
    return values;
}

/// The recorded steps of twenty, dense and sparse, the variable and every slot; `slots` is how many of them the tool has.
template<class T, class Rule>
void as_the_tool(std::string const& name, Rule const& rule, double tolerance, int slots = xgrad::slot_count<Rule>) {
    for (bool sparse : {false, true}) {
        table<Rule, T> v(rule, reference_row, reference_start<T>());
        for (int step = 1; step <= 20; ++step) {
            reference_step(v, step, sparse);
            if (step != 1 && step != 2 && step != 5 && step != 20) continue;
            std::string const which = name + (sparse ? ".sparse " : ".dense ") + std::to_string(step) + " ";
            catalogue().compare(which + "theta", as_doubles(v.param), tolerance);
            for (int k = 0; k < slots; ++k)
                catalogue().compare(which + std::string(xgrad::rule_slots<Rule>[static_cast<std::size_t>(k)].name),
                    as_doubles(v.slots[static_cast<std::size_t>(k)]), tolerance);
        }
    }
}

/// Sums over a variable depend on the order of its rows in the last bits.
inline void same(std::vector<double> const& a, std::vector<double> const& b, double tolerance) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(near(a[i], b[i], tolerance, 0.1));
}
template<class Rule>
void same(table<Rule> const& a, table<Rule> const& b, double tolerance) {
    if (tolerance == 0) {
        CHECK(a.param == b.param);
        CHECK(a.slots == b.slots);
    } else {
        same(a.param, b.param, tolerance);
        for (std::size_t k = 0; k < a.slots.size(); ++k) same(a.slots[k], b.slots[k], tolerance);
    }
}

/// Blocks of lanes and their rests do what the body does to single elements; `tolerance` for rules with functions that lanes approximate.
template<class Rule>
void lanes_as_elements(Rule const& rule, double tolerance) {
    if constexpr (xgrad::moves_elements<Rule>) {
        for (std::size_t n = 0; n <= 3 * xgrad::simd::width<double> + 1; ++n) {
            std::vector<double> start(n);
            for (std::size_t i = 0; i < n; ++i) start[i] = static_cast<double>(5 * i % 11) / 4 - 1;
            table<Rule> lanes(rule, 1, start), elements = lanes;
            for (int step = 0; step < 3; ++step) {
                std::vector<double> g(n);
                for (std::size_t i = 0; i < n; ++i)
                    g[i] = static_cast<double>((7 * i + static_cast<std::size_t>(step) * 5) % 13) / 8 - 0.75;
                lanes.dense(g);
                scalar_step(elements, g, std::vector<char>(n, 1));
            }
            INFO(Rule::name << ", " << n << " elements");
            same(lanes, elements, tolerance);
        }
    }
}

/// Duplicates are what their sum is, in whatever order slices come; a row that does not occur stays where the rule is lazy.
template<class Rule>
void rows_as_sums(Rule const& rule) {
    double const tolerance = xgrad::moves_elements<Rule> ? 0 : 1e-13;
    INFO(Rule::name);
    table<Rule> one(rule, 3, reference_start<double>()), sum = one, other = one;
    for (int step = 0; step < 3; ++step) {
        double const f = 1 + step;
        one.sparse({4, 1, 4}, {.5, -.25, .125, 1, .5, 0, .25 * f, .5, -1});
        sum.sparse({4, 1}, {.5 + .25 * f, .25, -.875, 1, .5, 0});
        other.sparse({1, 4, 4}, {1, .5, 0, .25 * f, .5, -1, .5, -.25, .125});
    }
    same(one, sum, tolerance);
    same(one, other, tolerance);
    if constexpr (Rule::sparse == xgrad::sparse_semantics::lazy)
        CHECK(std::equal(one.param.begin(), one.param.begin() + 3, reference_start<double>().begin()));
}

template<class Rule>
void held_to(std::string const& name, Rule const& rule, double approximation = 0) {
    CHECK(xgrad::check_of(rule).empty());
    as_the_tool<double>(name, rule, 1e-12);
    lanes_as_elements(rule, approximation);
    rows_as_sums(rule);
}

}   // namespace xgrad_test
