// SPDX-License-Identifier: MIT
// How a row lies in the space of its step, what it reads, and where its memory is.
#pragma once

#include <xgrad/plan/draft.hpp>
#include <xgrad/plan/views.hpp>

XGRAD_NAMESPACE_BEGIN

class row_loops : protected row_views {
protected:
    step_draft const* steps;
    member const* members;

    constexpr row_loops(table_view const& table, extent_pool& extents) : row_views(table, extents), steps(nullptr), members(nullptr) {}
    constexpr row_loops(
        table_view const& table, extent_pool& extents, row_facts const* facts, step_draft const* all_steps, member const* all_members)
        : row_views(table, extents, facts), steps(all_steps), members(all_members) {}

    static constexpr bool is_computed(row_facts const& f) { return f.live && (f.copied || !(f.is_view || f.is_leaf)); }
    constexpr dtype compute_type(int i) const {
        row_facts const& f = rows[i];
        dtype d = f.type;
        if (d == dtype::boolean && f.kind == op_kind::elementwise && !f.copied) {
            d = dtype::float32;
            for (int k = 0; k < f.operand_count; ++k)
                if (rows[f.operands[k]].type != dtype::boolean) d = rows[f.operands[k]].type;
        }
        return d == dtype::boolean || d == dtype::literal ? dtype::float32 : d;
    }
    /// What a row reads: its operands; of a copy the viewed row, of a copied leaf nothing.
    static constexpr int source_count(row_facts const& f) { return !f.copied ? f.operand_count : f.is_leaf ? 0 : 1; }
    static constexpr int source(row_facts const& f, int k) { return f.copied ? f.view_operand : f.operands[k]; }
    /// The rows that `i` reads, seen through inlined ones: calls f(row that owns the memory or register, keeps elements).
    template<class F>
    constexpr void for_sources(int i, F&& f, bool direct = true) const {
        row_facts const& r = rows[i];
        for (int k = 0, count = source_count(r); k < count; ++k) {
            bool keeps = direct;
            int o = source(r, k);
            for (; rows[o].is_view; o = rows[o].view_operand) keeps = keeps && rows[o].keeps_elements;
            if (rows[o].inlined != 0) for_sources(o, f, keeps);
            else f(o, keeps);
        }
    }

    /// The same of an operand of a concatenation that is copied into place.
    template<class F>
    constexpr void for_copied(member const& w, F&& f) const {
        int const o = owner(rows[w.row].operands[w.copy_operand]);
        if (rows[o].inlined == 0) f(o);
        else for_sources(o, [&](int from, bool) { f(from); });
    }

    /// Reads a position along a loop: which nests count; blocks of lanes and the tiles of products do not.
    constexpr bool reads_position(int i) const {
        row_facts const& f = rows[i];
        for (int k = 0; k < f.operand_count; ++k)
            if (int const o = owner(f.operands[k]); rows[o].inlined != 0 && (rows[o].kind == op_kind::index || reads_position(o)))
                return true;
        return false;
    }

    static constexpr int space_of(id_shape const& s, extent_id* space) {
        int n = 0;
        for (int a = 0; a < s.rank; ++a)
            if (s.extents[a] != one_extent) space[n++] = s.extents[a];
        return n;
    }
    constexpr id_shape const& loop_shape(int i) const {
        return rows[i].kind == op_kind::reduce && !rows[i].copied ? rows[rows[i].operands[0]].dims : rows[i].dims;
    }
    static constexpr bool has_space(step_draft const& s, extent_id const* space, int rank) {
        if (rank != s.rank) return false;
        for (int d = 0; d < rank; ++d)
            if (space[d] != s.space[d]) return false;
        return true;
    }
    static constexpr axis_map natural_map(id_shape const& s) {   // k-th axis of extent > 1 along the k-th dimension
        axis_map m{};
        int n = 0;
        for (int a = 0; a < s.rank; ++a)
            m.to[a] = s.extents[a] == one_extent ? static_cast<signed char>(-1) : static_cast<signed char>(n++);
        return m;
    }
    static constexpr axis_map operand_map(axis_map const& m, id_shape const& result, id_shape const& operand) {   // right-aligned
        axis_map r{};
        for (int a = 0; a < operand.rank; ++a)
            r.to[a] = operand.extents[a] == one_extent ? static_cast<signed char>(-1) : m.to[a + result.rank - operand.rank];
        return r;
    }
    constexpr axis_map result_map(int i) const {   // of a reduction: the operand's dimensions without the reduced ones
        id_shape const& s = rows[rows[i].operands[0]].dims;
        axis_map const from = natural_map(s);
        axis_map m{};
        int a = 0;
        for (int k = 0; k < s.rank; ++k) {
            bool const reduced = (t.attrs(i).integer[0] >> k & 1) != 0;
            if (!reduced) m.to[a++] = from.to[k];
            else if (t.attrs(i).integer[1] != 0) m.to[a++] = -1;
        }
        return m;
    }
    constexpr bool is_natural(int i, axis_map const& m) const {
        id_shape const& s = rows[i].dims;
        int n = 0;
        for (int a = 0; a < s.rank; ++a)
            if (m.to[a] != (s.extents[a] == one_extent ? -1 : n++)) return false;
        return true;
    }
    /// Bits of the space dimensions that a reduction sums over.
    constexpr int reduced_dims(int i) const {
        id_shape const& s = rows[rows[i].operands[0]].dims;
        std::int64_t const axes = t.attrs(i).integer[0];
        int mask = 0, n = 0;
        for (int a = 0; a < s.rank; ++a)
            if (s.extents[a] != one_extent) {
                if ((axes >> a & 1) != 0) mask |= 1 << n;
                ++n;
            }
        return mask;
    }
    /// A reduction whose result later members of its step can use: over the last dimension alone.
    constexpr bool gives_row_value(int i) const {
        if (rows[i].kind != op_kind::reduce || rows[i].copied) return false;
        extent_id space[max_rank]{};
        int const rank = space_of(rows[rows[i].operands[0]].dims, space);
        return rank > 0 && reduced_dims(i) == 1 << (rank - 1) && has_space(steps[rows[i].step], space, rank);
    }
    /// Full rows run for each element of the step's space, row values once for each row.
    constexpr bool is_row_level(step_draft const& s, int i) const {
        extent_id space[max_rank]{};
        int const rank = space_of(loop_shape(i), space);
        return !has_space(s, space, rank);
    }
    /// The values of indexed slices as rows in memory: slice p is row (p / inner, p % inner) of `row`, whose axes from `first` on are one row.
    struct slice_rows {
        int row, first;
        extent_id outer, inner;
    };
    /// Seen through the reshaping that leads to one row for each index: of the gradient of a bag, of a lookup by ids of several axes.
    constexpr slice_rows rows_of_slices(int values) const {
        id_shape const& s = rows[values].dims;
        slice_rows const plain{values, 1, s.extents[0], one_extent};
        if (rows[values].kind != op_kind::alias || rows[values].keeps_elements) return plain;
        int const from = rows[values].view_operand;
        id_shape const& x = rows[from].dims;
        if (x.rank == s.rank + 1) {
            bool same = true;
            for (int a = 1; a < s.rank; ++a) same = same && x.extents[a + 1] == s.extents[a];
            if (same) return {from, 2, x.extents[0], x.extents[1]};
        }
        if (x.rank < 2) return plain;
        extent const &length = pool.values.at[row_length(x)], &one = pool.values.at[row_length(s)];
        if (!length.is_static() || !one.is_static() || one.constant <= 0 || length.constant % one.constant != 0) return plain;
        return {from, 1, x.extents[0], pool.intern(static_extent(length.constant / one.constant))};
    }

    constexpr draft_slot memory_of(int row, memory_view const& v) const {
        draft_slot s{operand_slot::where::buffer, rows[row].type, v.base, v.offset, {}};
        row_facts const& base = rows[v.base];
        if (base.is_leaf && !base.copied && !(base.packed && reads_packed)) {
            if (base.kind == op_kind::input) s.base = operand_slot::where::input;
            if (base.kind == op_kind::variable) s.base = operand_slot::where::variable;
        }
        return s;
    }
    constexpr operand_slot finish_slot(draft_slot const& d) const {
        operand_slot s{};
        s.base = d.base;
        s.type = d.type;
        s.row = static_cast<short>(d.row);
        s.offset = d.offset;
        if (d.base == operand_slot::where::input || d.base == operand_slot::where::variable) s.index = static_cast<short>(rows[d.row].leaf);
        return s;
    }
    /// The memory of a row as rows at a distance `stride[0]` of contiguous elements.
    constexpr operand_slot row_slot(int row) const { return row_slot(row, locate(row)); }
    constexpr operand_slot row_slot(int row, memory_view const& v) const {
        operand_slot s = finish_slot(memory_of(row, v));
        s.stride[0] = rows[row].dims.rank > 0 ? v.stride[0] : zero_extent;
        return s;
    }
    constexpr extent_id row_length(id_shape const& s) const {   // elements of one row
        extent_id n = one_extent;
        for (int a = 1; a < s.rank; ++a) n = pool.multiply(n, s.extents[a]);
        return n;
    }
    constexpr extent_id size_of_row(int row) const {
        id_shape const& s = rows[row].dims;
        return s.rank > 0 ? pool.multiply(s.extents[0], row_length(s)) : one_extent;
    }
};

XGRAD_NAMESPACE_END
