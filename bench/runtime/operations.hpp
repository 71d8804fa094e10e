// SPDX-License-Identifier: MIT
// What the programs of single operations share: arrays of numbers, and a row of one operation next to one loop.
#pragma once

#include "frame.hpp"
#include "hand/data.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>

namespace bench {

template<class T = float>
hand::buffer<T> numbers(std::size_t n, std::uint64_t seed, double low = -0.5, double high = 0.5) {
    hand::buffer<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(low + (high - low) * hand::uniform(seed, 0, i));
    return v;
}
inline hand::buffer<std::int32_t> ids(std::size_t n, std::uint64_t seed, int below, int first = 0) {
    hand::buffer<std::int32_t> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<std::int32_t>(first + int(hand::uniform(seed, 1, i) * (below - first)));
    return v;
}
template<class T>
T const* read(hand::buffer<T> const& b) {
    return b;
}

/// The largest difference of two arrays of n elements.
template<class A, class B>
double largest_difference(A const* a, B const* b, std::size_t n) {
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) most = std::fmax(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return most;
}
template<class R>
auto const& first_of(R const& result) {
    if constexpr (requires { std::get<0>(result); }) return std::get<0>(result);
    else return result;
}

/// Times an operation next to a loop that fills `out`. `made` is the result to compare: the operation's, or its last output's.
template<class T, class Ours, class Hand, class Made>
void operation(suite& suite, std::string const& name, double tolerance, hand::buffer<T> const& out, Ours const& ours, Hand const& theirs,
    Made const& made) {
    if (!suite.wanted(name)) return;
    theirs();
    auto const result = ours();
    auto const& array = made(result);
    suite.agree(name, "the number of elements", static_cast<double>(array.size()), static_cast<double>(out.size()), 0);
    suite.agree(name, "the numbers", largest_difference(array.data(), read(out), out.size()), 0, tolerance);
    suite.row(
        name, [&] { keep(ours()); },
        [&] {
            theirs();
            keep(out[0]);
        });
}
template<class T, class Ours, class Hand>
void operation(suite& suite, std::string const& name, double tolerance, hand::buffer<T> const& out, Ours const& ours, Hand const& theirs) {
    operation(suite, name, tolerance, out, ours, theirs, [](auto const& result) -> auto const& { return first_of(result); });
}

}   // namespace bench
