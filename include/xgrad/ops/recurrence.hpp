// SPDX-License-Identifier: MIT
// What cumulative operations and their derivatives are made of: the order in which a row is visited, linear recurrences,
// sums at places.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>

#include <limits>

XGRAD_NAMESPACE_BEGIN

/// What a cumulative operation does besides: with `exclusive` a result omits the element at its place, `reverse` starts at
/// the end of the axis (TensorFlow's arguments of these names). Both together: `cumulative::exclusive | cumulative::reverse`.
enum class cumulative : unsigned char { inclusive = 0, exclusive = 1, reverse = 2 };
constexpr cumulative operator|(cumulative a, cumulative b) {
    return static_cast<cumulative>(static_cast<unsigned char>(a) | static_cast<unsigned char>(b));
}

namespace op {
/// As apply. The declared result type lets the derivatives of operations use each other.
template<class Op, class... S>
constexpr symbol applied(symbol first, S... rest) {
    return apply_with<Op>(xgrad::attributes{}, first, rest...);
}
constexpr bool excludes(cumulative how) { return (static_cast<unsigned char>(how) & 1) != 0; }
constexpr bool from_end(cumulative how) { return (static_cast<unsigned char>(how) & 2) != 0; }
constexpr cumulative turned(cumulative how) { return static_cast<cumulative>(static_cast<unsigned char>(how) ^ 2); }
constexpr cumulative including(cumulative how) { return static_cast<cumulative>(static_cast<unsigned char>(how) & 2); }
/// The position that is visited as number k of n.
template<cumulative How>
constexpr std::size_t visited(std::size_t k, std::size_t n) {
    return from_end(How) ? n - 1 - k : k;
}
/// Numbers of float are summed and multiplied in double.
template<class T>
using wide = std::conditional_t<std::is_same_v<T, float>, double, T>;

/// The element that was visited before, at first 0, or −∞ if `Lowest`.
template<bool Reverse, bool Lowest = false>
struct previous_in_row : row_op {
    static constexpr std::string_view name = "previous";
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void row(std::span<T const> x, std::span<T> y) {
        std::size_t const n = x.size();
        if (n == 0) return;
        for (std::size_t j = 1; j < n; ++j) y[Reverse ? j - 1 : j] = x[Reverse ? j : j - 1];
        T first = 0;
        if constexpr (Lowest) first = -std::numeric_limits<T>::infinity();
        y[Reverse ? n - 1 : 0] = first;
    }
    static constexpr void derive(derivation& d) { d.out[0] = applied<previous_in_row<!Reverse>>(d.gradient); }
};
/// h = b + a h', where h' is that of the element visited before. If `Late`, a is that of the element before.
template<bool Late, bool Reverse>
struct recurrence : row_op {
    static constexpr std::string_view name = "linear_recurrence";
    static constexpr int flops = 2;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void row(std::span<T const> a, std::span<T const> b, std::span<T> h) {
        constexpr cumulative how = Reverse ? cumulative::reverse : cumulative::inclusive;
        std::size_t const n = a.size();
        wide<T> state = 0;
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t const j = visited<how>(k, n), from = Late ? visited<how>(k - 1, n) : j;
            state = k == 0 ? wide<T>(b[j]) : wide<T>(b[j]) + wide<T>(a[from]) * state;
            h[j] = static_cast<T>(state);
        }
    }
    static constexpr void derive(derivation& d) {
        symbol const back = applied<recurrence<!Late, !Reverse>>(d.operands[0], d.gradient);
        if (d.wanted[0])
            d.out[0] = Late ? applied<previous_in_row<!Reverse>>(back) * d.result : back * applied<previous_in_row<Reverse>>(d.result);
        d.out[1] = back;
    }
};
/// x [..., n], places [..., n]: the sums of the elements of equal places. Negative places count for nothing.
struct sum_at_places : row_op {
    static constexpr std::string_view name = "sum_at_places";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t const> places, std::span<T> y) {
        for (T& e : y) e = T(0);
        std::size_t const n = x.size();
        for (std::size_t k = 0; k < n;) {   // equal places are adjacent
            std::int32_t const place = places[k];
            wide<T> sum = 0;
            for (; k < n && places[k] == place; ++k) sum += wide<T>(x[k]);
            if (place >= 0) y[static_cast<std::size_t>(place)] += static_cast<T>(sum);
        }
    }
    static constexpr void derive(derivation& d);
};
/// The elements at these places, 0 for a negative place.
struct take_at_places : row_op {
    static constexpr std::string_view name = "take_at_places";
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t const> places, std::span<T> y) {
        for (std::size_t k = 0; k < x.size(); ++k) y[k] = places[k] < 0 ? T(0) : x[static_cast<std::size_t>(places[k])];
    }
    static constexpr void derive(derivation& d) { d.out[0] = applied<sum_at_places>(d.gradient, d.operands[1]); }
};
constexpr void sum_at_places::derive(derivation& d) { d.out[0] = applied<take_at_places>(d.gradient, d.operands[1]); }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
