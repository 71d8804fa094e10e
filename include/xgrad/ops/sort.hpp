// SPDX-License-Identifier: MIT
// Sorted rows, and the original position of each element.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/top_k.hpp>

#include <algorithm>
#include <bit>
#include <utility>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct sort : row_op {
    static constexpr std::string_view name = "sort";
    static constexpr int outputs = 2;
    static constexpr bool half_operands = true;
    static constexpr int flops = 8;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int output) {
        value_info r = v[0];
        if (!has_gradient(r.type) && !is_integer(r.type)) r.wrong = fault::dtypes;
        if (output == 1) r.type = dtype::int32;
        return r;
    }
    /// Keys of 32 bits have the order of the elements. Zeros of both signs are equal, and so are all NaN.
    template<class T>
    static constexpr bool has_keys = std::is_same_v<T, float> || (std::is_integral_v<T> && sizeof(T) == 4);
    template<class T>
    static std::uint32_t key_of(T x) {
        constexpr std::uint32_t sign = 0x80000000u, last = 0xffffffffu;
        if constexpr (std::is_integral_v<T>) return static_cast<std::uint32_t>(x) ^ (std::is_signed_v<T> ? sign : 0);
        else {
            auto const bits = std::bit_cast<std::uint32_t>(x == 0 ? T(0) : x);
            return x == x ? bits ^ ((bits & sign) != 0 ? last : sign) : last;
        }
    }
    static constexpr std::size_t least_by_digits = 64, most_by_digits = 2048;
    struct keyed {
        std::uint32_t key;
        std::int32_t at;
    };
    // By the digits of the keys, from the last one on. Elements with the same digit keep their order.
    template<class T>
    static void sort_by_digits(std::span<T const> x, std::span<T> values, std::span<std::int32_t> indices) {
        constexpr int digits = 4;
        constexpr std::uint32_t base = 256;
        keyed rows[2][most_by_digits];
        std::uint32_t places[digits][base]{};
        std::size_t const n = x.size();
        for (std::size_t j = 0; j < n; ++j) {
            std::uint32_t const key = key_of(x[j]);
            rows[0][j] = {key, static_cast<std::int32_t>(j)};
            for (int d = 0; d < digits; ++d) ++places[d][key >> (8 * d) & (base - 1)];
        }
        keyed *from = rows[0], *to = rows[1];
        for (int d = 0; d < digits; ++d) {
            if (places[d][from[0].key >> (8 * d) & (base - 1)] == n) continue;   // one digit for all
            std::uint32_t before = 0;
            for (std::uint32_t& place : places[d]) before += std::exchange(place, before);
            for (std::size_t j = 0; j < n; ++j) to[places[d][from[j].key >> (8 * d) & (base - 1)]++] = from[j];
            std::swap(from, to);
        }
        for (std::size_t j = 0; j < n; ++j) {
            indices[j] = from[j].at;
            values[j] = x[static_cast<std::size_t>(from[j].at)];
        }
    }
    // Sorts positions, and equal elements by position. That is stable, and needs no extra memory.
    template<class T>
    static void row(std::span<T const> x, std::span<T> values, std::span<std::int32_t> indices) {
        if constexpr (has_keys<T>)
            if (x.size() >= least_by_digits && x.size() <= most_by_digits) return sort_by_digits(x, values, indices);
        for (std::size_t j = 0; j < x.size(); ++j) indices[j] = static_cast<std::int32_t>(j);
        std::sort(indices.begin(), indices.end(), [x](std::int32_t i, std::int32_t k) {
            T const a = x[static_cast<std::size_t>(i)], b = x[static_cast<std::size_t>(k)];
            bool const less = a < b || (a == a && b != b), more = a > b || (a != a && b == b);
            return less || (!more && i < k);
        });
        for (std::size_t j = 0; j < x.size(); ++j) values[j] = x[static_cast<std::size_t>(indices[j])];
    }
    static constexpr void derive(derivation& d) {
        if (!d.gradients[0].exists()) return;
        shape const& x = d.info(0).dims;
        d.out[0] = put(d.gradients[0], d.output(1), x.extents[x.rank - 1]);
    }
};
}

/// The elements along the last axis in ascending order and their positions in x (int32), as a tuple:
/// `auto [values, indices] = sort(x)`. Equal elements keep their order in x, and NaN comes last (NumPy's sort and
/// argsort, kind="stable").
/// Gradient: that of the values, moved back to the original positions.
inline constexpr row_function<op::sort> sort{};
/// Only the positions of sort.
/// Gradient: none.
template<class A>
constexpr auto argsort(A const& x) {
    return std::get<1>(sort(x));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
