// SPDX-License-Identifier: MIT
// What the tests made by tests/reference/random_bodies.py call.
#pragma once

#include <support/programs.hpp>

#include <xgrad/grad/vector_products.hpp>

namespace random_bodies {
namespace xg = xgrad;
inline constexpr xg::dim rows{"rows"};
using test::list_of;

/// Gradients, or products with vectors, as a tuple of dense expressions.
template<class... G>
constexpr auto of(std::tuple<G...> const& all) {
    return std::apply([](auto const&... g) { return std::tuple(fuzz::dense(g)...); }, all);
}
template<xg::Expr G>
constexpr auto of(G const& g) {
    return std::tuple(g);
}
/// A function of gradients, to be differentiated once more.
template<class... G>
constexpr auto of_sines(std::tuple<G...> const& all) {
    return std::apply([](auto const&... g) { return (xg::sum(xg::sin(g)) + ...); }, all);
}
/// One more result, so that each call may bind all inputs, also those that a program passes to bodies which ignore them.
template<class... E>
constexpr auto read(E const&... inputs) {
    return (xg::sum(xg::cast<double>(inputs)) + ...);
}
/// Compares the results but for the last with the numbers of JAX, in units of the largest of an array, or of 0.01 if all are smaller.
/// XGRAD_RANDOM_BODIES=print prints the largest difference.
void expect(std::vector<std::vector<double>> const& results, std::vector<std::vector<double>> const& expected);
template<class R>
void expect(R const& results, std::vector<std::vector<double>> const& expected) {
    expect(fuzz::copies(results), expected);
}

}   // namespace random_bodies
