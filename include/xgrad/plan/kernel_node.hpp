// SPDX-License-Identifier: MIT
// What the operation of a node declares about its kernel.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel.hpp>
#include <xgrad/graph/table.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// The kernel of node `i`, with element types and shapes of its operands and outputs. Outputs that no part refers to are included.
class kernel_node {
    value_info const* at_[max_operands + max_outputs];
    sequence<value_info> unread_;
    kernel_operands operands_;
    kernel_info const* info_;

public:
    constexpr kernel_node(table_view const& t, int i)
        : at_{}, unread_(t.output_count(i)), operands_{at_, t[i].count, t.output_count(i), t.attrs(i)}, info_(t[i].op->kernel) {
        for (int k = 0; k < operands_.operands; ++k) at_[k] = &t[t.operand(i, k)].value;
        for (int k = 0; k < operands_.outputs; ++k) {
            int const part = t.part_of(i, k);
            if (part < 0) unread_.push(t.output(i, k));
            at_[operands_.operands + k] = part >= 0 ? &t[part].value : &unread_.last();
        }
    }
    kernel_node(kernel_node const&) = delete;

    constexpr int operand_count() const { return operands_.operands; }
    constexpr int count() const { return operands_.count(); }
    constexpr value_info const& operator[](int which) const { return *at_[which]; }
    constexpr layout layout_of(int which) const { return info_->layout_of(operands_, which); }
    constexpr int extent_count() const { return info_->extent_count(operands_); }
    constexpr extent extent_of(int which) const { return info_->extent_of(operands_, which); }
    constexpr extent read_of(int operand) const {
        return info_->read_of == nullptr ? at_[operand]->dims.size() : info_->read_of(operands_, operand);
    }
    constexpr extent room_of(int output) const {
        return info_->room_of == nullptr ? at_[output]->dims.size() : info_->room_of(operands_, output);
    }
    /// Adds the flops of the kernel to a sum of polynomials.
    template<class Sum>
    constexpr void add_flops(Sum& sum, op_info const& op) const {
        if (op.flops_of != nullptr) sum.add(op.flops_of(operands_));
        else sum.add(read_of(0), op.flops);
    }
    constexpr bool has_scratch() const { return info_->scratch_of != nullptr; }
    constexpr extent scratch_bytes() const { return info_->scratch_of(operands_); }
    constexpr bool is_static(int which) const { return which < 32 && (info_->static_extents >> which & 1) != 0; }
};

/// The ranks of operands and outputs of node `i`, three bits each.
constexpr std::uint64_t kernel_ranks(table_view const& t, int i) {
    std::uint64_t r = 0;
    for (int k = t.output_count(i); k-- > 0;) r = r << 3 | static_cast<std::uint64_t>(t.output(i, k).dims.rank);
    for (int k = t[i].count; k-- > 0;) r = r << 3 | static_cast<std::uint64_t>(t.dims(t.operand(i, k)).rank);
    return r;
}
/// Whether nodes of this operation check indices and report one that is out of range.
constexpr bool reports_indices(op_info const& op) { return op.kind == op_kind::kernel && op.kernel->reports_indices; }
/// The node whose elements the indices `ids` are, in another shape or in a wider integer type.
constexpr int source_of_indices(table_view const& t, int ids) {
    for (;; ids = t.operand(ids, 0)) {
        op_kind const kind = t.kind(ids);
        if (kind == op_kind::alias || kind == op_kind::transpose || kind == op_kind::broadcast) continue;
        if (!t[ids].op->converts) return ids;
        dtype const from = t.type(t.operand(ids, 0));
        if (!is_narrow_index(from) || t.type(ids) != index_type(from)) return ids;
    }
}
/// The indices that node `i` reads, and the extent that they must stay below, as its operation declares them.
constexpr int indices_of(table_view const& t, int i) { return t.operand(i, t[i].op->indices.operand); }
constexpr extent const& index_limit(table_view const& t, int i) {
    index_bound const& b = t[i].op->indices;
    shape const& s = t.dims(b.of < 0 ? i : t.operand(i, b.of));
    return s.extents[b.axis < 0 ? s.rank + b.axis : b.axis];
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
