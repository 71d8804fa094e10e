// SPDX-License-Identifier: MIT
// Operands that the gradient of a loop's gradient does not read, so that the plan need not compute them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/graph/flatten.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

constexpr std::uint64_t bits_between(int first, int end) { return ((std::uint64_t{1} << end) - 1) & ~((std::uint64_t{1} << first) - 1); }
/// The operands of a step over a region that its body does not read (as bits). Word k of `a` belongs to derivative k of the region: bits 0
/// to 31 are the operands that get a gradient, the others the results that have one.
/// The gradient of a region is linear in its carries and in the gradients of stacked and summed values. Its gradient with respect to
/// these alone reads none of them. A body that takes gradients written by users may not be linear.
constexpr std::uint64_t linear_operands(region_info const& r, attributes const& a) {
    if (a.word_count == 1) return r.gradients_from < 0 ? 0 : bits_between(r.gradients_from, r.arguments);
    if (a.word_count == 0) return 0;
    region_form f = first_form(r);
    for (int i = 0; i < a.word_count - 2; ++i) f = next_form(f, a.words[i]);
    region_form const gradient = next_form(f, a.words[a.word_count - 2]), second = next_form(gradient, a.words[a.word_count - 1]);
    int const captures = gradient.carries + gradient.slices;
    int const histories = f.histories_read(a.words[a.word_count - 2]);
    int const seeds = gradient.carries + f.slices + histories + (f.loops() ? f.kept_count() : 0);
    int const read = f.captures + (f.loops() ? 0 : f.kept_count());   // captures that are no gradients
    std::uint64_t const linear =
        bits_between(0, gradient.carries) | bits_between(seeds, captures) | bits_between(captures + read, gradient.inputs());
    std::uint64_t const wanted = a.words[a.word_count - 1] & bits_between(0, 32);
    if ((wanted & ~linear) != 0) return 0;
    int const captures_of_second = second.carries + second.slices;
    return bits_between(seeds, captures + gradient.carries) |   // gradients of stacked values, then the history of the carries
           bits_between(captures_of_second + read, captures_of_second + gradient.captures);
}
constexpr std::uint64_t unread_operands(region_info const& r, attributes const& a) {
    std::uint64_t const linear = linear_operands(r, a);
    return linear == 0 || r.operands_read == nullptr ? 0 : linear & ~r.operands_read(r, a);
}
/// An operand of the loop that is read and has this type and shape, or zeros.
constexpr symbol substitute_for(table_builder& b, symbol const* in, int count, std::uint64_t unread, value_info const& v) {
    for (int k = 0; k < count; ++k)
        if (value_info const& other = b.info(in[k]); (unread >> k & 1) == 0 && other.type == v.type && other.dims == v.dims) return in[k];
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
            std::uint64_t const unread = unread_operands(*op->region, b.attrs(loop.index));
            if (unread == 0) return;
            symbol in[max_operands]{}, from[max_operands]{};
            int const count = b.arity(loop);
            for (int i = 0; i < count; ++i) from[i] = b.operand(loop, i);
            for (int i = 0; i < count; ++i)
                in[i] = (unread >> i & 1) != 0 ? substitute_for(b, from, count, unread, b.info(from[i])) : from[i];
            replaced = b.add(op, in, count, b.attrs(loop.index));
        }
        d.out[k] = b.add(b.op(d.out[k]), &replaced, 1, b.attrs(d.out[k].index));
    }
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
