// SPDX-License-Identifier: MIT
// Padded rows of integers, such as labels: lengths, and indices that are checked only before the end of their row.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/mask.hpp>
#include <xgrad/ops/select.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// A length as it counts, from 0 to the extent.
template<class L>
XGRAD_INLINE std::int64_t valid_length(L length, std::int64_t most) {
    auto const n = static_cast<std::int64_t>(length);
    return n < 0 ? 0 : n > most ? most : n;
}
/// Whether the first n indices are in 0 ... limit − 1.
template<class I>
bool all_below(I const* index, std::int64_t n, std::int64_t limit) {
    bool good = true;
    for (std::int64_t i = 0; i < n; ++i) good = good && is_position(index[i], limit);
    return good;
}
/// The description of a kernel that computes a gradient and has none itself: a gradient that reaches it is an error.
template<class Op>
constexpr op_info last_gradient(Op const* op) {
    op_info r = op_description<Op>(op);
    r.lacks_derivative = r.is_last_gradient = true;
    return r;
}
}

namespace detail {
/// Indices [rows, length], with 0 after the end of each row. They are no input then, so only what a kernel reads is checked.
template<class I, class N>
constexpr auto without_padding(I const& indices, N const& lengths) {
    using namespace literals;
    constexpr extent length = value_of<I>.dims.extents[1];
    return select(apply<with_shape<op::sequence_mask, shape{1, {length}}>>(lengths), indices, 0_c);
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
