// SPDX-License-Identifier: MIT
// What the tests made by tests/plan/fuzz/programs.py call.
#pragma once

#include <support/both_ways.hpp>
#include <support/fuzz.hpp>

#include <limits>

namespace fuzz {

/// Marks a number that is not compared.
inline constexpr double any = std::numeric_limits<double>::quiet_NaN();

/// The elements of leaf k, more than a test reads.
template<class T>
T const* data(std::uint32_t k) {
    static std::vector<std::vector<T>> all(64);
    if (all[k].empty()) all[k] = numbers<T>(k, 4096);
    return all[k].data();
}
inline std::int32_t const* integers(std::uint32_t k, int limit) {
    static std::vector<std::vector<std::int32_t>> all(128);
    if (all[k].empty()) all[k] = ids(k, 4096, limit);
    return all[k].data();
}

/// A gradient as one expression, also that of a table.
template<class G>
constexpr auto dense(G const& g) {
    if constexpr (xg::Expr<G>) return g;
    else return g.dense;
}
template<class... E>
auto without_planner(xg::expression_list<E...> const& results) {
    using list = xg::expression_list<E...>;
    return xg::function<list, xg::program<list, xg::no_updates, xg::gating::none, false>>{results};
}
template<class V>
std::vector<double> flat(V const& v) {
    return copies(v)[0];
}

void expect(std::vector<std::vector<double>> const& results, std::vector<std::vector<double>> const& expected, double tolerance);
/// With the planner and without it: the same, NaN where the other has one.
void agree(std::vector<std::vector<double>> const& on, std::vector<std::vector<double>> const& off, double tolerance);

}   // namespace fuzz
