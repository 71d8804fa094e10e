// SPDX-License-Identifier: MIT
// Operands that the gradient of a loop's gradient does not read, so that the plan need not compute them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/graph/flatten.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The operands of a step over a region that its body may not read. The words of `a` are the bits of next_form for each derivative.
/// The gradient of a region is linear in its carries and in the gradients of stacked and summed values. Its gradient with respect to
/// these alone reads none of them. A body that takes gradients written by users may not be linear.
constexpr operand_set linear_operands(region_info const& r, attributes const& a) {
    operand_set found{};
    if (a.word_count == 0) return found;
    // `second` is the form after all derivatives, `gradient` the one before it, and `f` the one before that.
    region_form f{}, gradient{}, second = first_form(r);
    gradient_bits bits{}, last{};
    int times = 0;
    for (int i = 0; i < a.word_count; ++times) {
        f = gradient;
        gradient = second;
        bits = last;
        last = gradient.bits_in(a.words + i);
        second = next_form(gradient, last);
        i += gradient.gradient_words();
    }
    if (times == 1) {
        if (r.gradients_from >= 0) found.add(r.gradients_from, r.arguments);
        return found;
    }
    // Where the operands of `gradient` are, in the order in which next_form adds them.
    int const captures = gradient.carries + gradient.slices;
    int const histories = f.histories_read(bits);
    int const seeds = gradient.carries + f.slices + histories + (f.loops() ? f.kept_count() : 0);
    int const read = f.captures + (f.loops() ? 0 : f.kept_count());   // captures before the gradients of sums
    for (int k = gradient.carries; k < gradient.inputs(); ++k) {
        bool const linear = (k >= seeds && k < captures) || k >= captures + read;
        if (last.wanted(k) && !linear) return found;
    }
    int const captures_of_second = second.carries + second.slices;
    found.add(seeds, captures + gradient.carries);   // gradients of stacked values, then the history of the carries
    found.add(captures_of_second + read, captures_of_second + gradient.captures);
    return found;
}
constexpr operand_set unread_operands(region_info const& r, attributes const& a) {
    operand_set unread = linear_operands(r, a);
    if (unread.empty() || r.operands_read == nullptr) return {};
    unread.remove(r.operands_read(r, a));
    return unread;
}
/// An operand of the loop that is read and has this type and shape, or zeros.
constexpr symbol substitute_for(table_builder& b, symbol const* in, int count, operand_set const& unread, value_info const& v) {
    for (int k = 0; k < count; ++k)
        if (value_info const& other = b.info(in[k]); !unread.has(k) && other.type == v.type && other.dims == v.dims) return in[k];
    return op::broadcast_symbol(b.constant(0, v.type), v.dims);
}
/// Replaces the unread operands of the loop that gives the gradients d.out.
constexpr void replace_unread(table_builder& b, derivation& d) {
    symbol loop{}, replaced{};
    for (int k = 0; k < d.count; ++k) {
        if (!d.wanted[k] || !d.out[k].exists() || b.op(d.out[k])->kind != op_kind::part) continue;
        if (!loop.exists()) {
            loop = replaced = b.operand(d.out[k], 0);
            op_info const* const op = b.op(loop);
            operand_set const unread = unread_operands(*op->region, b.attrs(loop.index));
            if (unread.empty()) return;
            symbol in[max_region_operands]{}, from[max_region_operands]{};
            int const count = b.arity(loop);
            for (int i = 0; i < count; ++i) from[i] = b.operand(loop, i);
            for (int i = 0; i < count; ++i) in[i] = unread.has(i) ? substitute_for(b, from, count, unread, b.info(from[i])) : from[i];
            replaced = b.add(op, in, count, b.attrs(loop.index));
        }
        d.out[k] = b.add(b.op(d.out[k]), &replaced, 1, b.attrs(d.out[k].index));
    }
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
