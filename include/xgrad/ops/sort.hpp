// SPDX-License-Identifier: MIT
// Sorted rows, and the original position of each element.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/top_k.hpp>

#include <algorithm>

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
    // Sorts positions, and equal elements by position. That is stable, and needs no extra memory.
    template<class T>
    static void row(std::span<T const> x, std::span<T> values, std::span<std::int32_t> indices) {
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
