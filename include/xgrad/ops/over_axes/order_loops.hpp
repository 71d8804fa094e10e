// SPDX-License-Identifier: MIT
// The loops of median, quantile and nth_element: an element by its number in the order of a row, and its position.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

XGRAD_NAMESPACE_BEGIN
namespace detail::order_loops {

/// How many elements a condition holds for. The blocks have a constant length, so -O2 makes SIMD of them.
template<class T, class F>
std::size_t count_if(std::span<T const> x, F const& holds) {
    constexpr std::size_t block = 64;
    std::size_t total = 0, j = 0;
    for (; j + block <= x.size(); j += block) {
        std::int32_t here = 0;
        for (std::size_t e = 0; e < block; ++e) here += holds(x[j + e]) ? 1 : 0;
        total += static_cast<std::size_t>(here);
    }
    for (; j < x.size(); ++j) total += holds(x[j]) ? 1 : 0;
    return total;
}
/// The position of element number k of those that are equal to e, or that are NaN like e.
template<class T>
std::int32_t position(std::span<T const> x, T e, std::size_t k) {
    constexpr std::size_t block = 32;
    std::size_t j = 0;
    if (e == e)
        for (; j + block <= x.size(); j += block) {
            std::int32_t equal = 0;
            for (std::size_t i = 0; i < block; ++i) equal += x[j + i] == e ? 1 : 0;
            if (static_cast<std::size_t>(equal) > k) break;
            k -= static_cast<std::size_t>(equal);
        }
    for (; j < x.size(); ++j)
        if ((x[j] == e || (x[j] != x[j] && e != e)) && k-- == 0) break;
    return static_cast<std::int32_t>(j);
}

template<class T>
struct neighbours {
    T low, high;
};
/// Elements of `from` that are near number k in its order, in `to`, which may begin where `from` does. `before` is how many come before
/// them. They are between two elements of a sample. Number k is most likely among them, and then k and before tell its place.
template<class T>
std::span<T> around(std::span<T const> from, std::size_t k, std::span<T> to, std::size_t& before) {
    constexpr std::size_t sample = 64, apart = 10;
    using limits = std::numeric_limits<T>;
    T some[sample];
    for (std::size_t i = 0; i < sample; ++i) some[i] = from[i * from.size() / sample];
    std::sort(some, some + sample);
    std::size_t const at = k * sample / from.size();
    T const least = at >= apart ? some[at - apart] : limits::has_infinity ? -limits::infinity() : limits::lowest();
    T const most = at + apart < sample ? some[at + apart] : limits::has_infinity ? limits::infinity() : limits::max();
    std::size_t kept = 0, less = 0;
    for (T const e : from) {
        to[kept] = e;
        less += e < least ? 1 : 0;
        kept += static_cast<std::size_t>(e >= least) & static_cast<std::size_t>(e <= most);
    }
    before = less;
    return to.first(kept);
}
/// Number k of the `numbers` elements of x that are not NaN, and if wanted the next one. `room` is as long as x.
template<class T>
neighbours<T> element(std::span<T const> x, std::size_t numbers, std::size_t k, bool wants_next, std::span<T> room) {
    constexpr std::size_t few = 256;
    std::size_t first = 0;   // the number of the first element of `part`
    std::span<T> part = room.first(numbers);
    bool narrow = numbers == x.size() && numbers > few;
    for (std::span<T const> from = x; narrow && from.size() > few;) {
        std::size_t before = 0;
        std::span<T> const found = around(from, k - first, room, before);
        std::size_t const last = first + before + found.size();
        narrow = k >= first + before && (wants_next ? k + 1 : k) < last;
        first += before;
        part = found;
        if (found.size() > from.size() / 2) break;
        from = found;
    }
    if (!narrow) {
        first = 0;
        part = room.first(numbers);
        std::size_t n = 0;
        for (T const e : x)
            if (e == e) room[n++] = e;
    }
    auto const at = part.begin() + static_cast<std::ptrdiff_t>(k - first);
    std::nth_element(part.begin(), at, part.end());
    return {*at, wants_next ? *std::min_element(at + 1, part.end()) : *at};
}

}   // namespace detail::order_loops
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
