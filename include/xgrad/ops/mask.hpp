// SPDX-License-Identifier: MIT
// Masks for sequences that are shorter than their array.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Attributes: the extent of the new last axis.
struct sequence_mask : composite_op {
    static constexpr std::string_view name = "sequence_mask";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r{dtype::boolean, v[0].dims, fault::none};
        if (!is_integer(v[0].type)) r.wrong = fault::not_integer;
        if (r.dims.rank == max_rank) return {r.type, {}, fault::too_long};
        r.dims.extents[r.dims.rank++] = a.extents[0];
        return r;
    }
    static constexpr symbol expand(symbol_table&, symbol const* x, int, xgrad::attributes const& a) {
        symbol const lengths = as_index(x[0]);
        return apply<less>(positions(lengths, a.extents[0]), apply_with<expand_dims>({-1}, lengths));
    }
};
}

/// The valid positions of sequences: bool of shape lengths.shape + [Length], true at the positions below each length.
/// Length is an integer or a named dimension. Lengths are integers of any type. A length above Length gives all true, and one
/// below 1 all false. Neither is an error. Source: TensorFlow's tf.sequence_mask.
/// Gradient: none.
template<auto Length, class A>
constexpr auto sequence_mask(A const& lengths) {
    using O = with<op::sequence_mask, Length>;
    constexpr fault f = detail::fault_of<O, A>();
    static_assert(
        f != fault::not_integer, "xgrad::sequence_mask<length>(lengths): lengths are not integers; write cast<std::int32_t>(lengths)");
    static_assert(
        f != fault::too_long, "xgrad::sequence_mask<length>(lengths): the result has more than six axes; reshape the lengths first");
    return apply<O>(lengths);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
