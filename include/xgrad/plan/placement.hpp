// SPDX-License-Identifier: MIT
// Before steps are formed: which rows are computed at all, which views are copied, what is computed again in each loop, and what is computed where
// a concatenation keeps it.
#pragma once

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN

/// The facts of all rows when all this is chosen.
template<int Rows>
struct placed_rows {
    row_facts rows[Rows];
    extent polynomials[2 * Rows + 64];
    int polynomial_count;
};

class placement : row_loops {
    plan_options options;

    constexpr void mark_live(sequence<int> const& roots) {
        for (int r : roots) rows[r].live = true;
    }
    constexpr void spread_live() {
        for (int i = t.count; i-- > 0;) {
            row_facts const& f = rows[i];
            if (!f.live) continue;
            if (f.kind == op_kind::composite) rows[f.view_operand].live = true;
            else
                for (int k = 0; k < f.operand_count; ++k) rows[f.operands[k]].live = true;
        }
    }

    // A view that its reader cannot address is copied to memory of its own.
    constexpr void need_contiguous(int i) {
        if (!is_contiguous(i) || rows[owner(i)].is_number) copy(i);
    }
    constexpr void need_matrix(int i) {
        if (rows[i].dims.rank > 2) return need_contiguous(i);
        for (int k = i; rows[k].is_view; k = rows[k].view_operand)
            if (rows[k].kind == op_kind::broadcast) return copy(i);
        if (rows[owner(i)].is_number) return copy(i);
        memory_view const m = locate(i);
        id_shape const& s = rows[i].dims;
        bool unit = false;   // rows or columns must be contiguous
        for (int a = 0; a < 2; ++a) unit = unit || s.extents[a] == one_extent || m.stride[a] == one_extent;
        if (!unit) copy(i);
    }
    constexpr void need_rows(int i, int first = 1) {   // the axes from `first` on are contiguous, the others lie at any distance
        memory_view const m = locate(i);
        extent_id n = one_extent;
        id_shape const& s = rows[i].dims;
        for (int a = s.rank; a-- > first;) {
            if (s.extents[a] != one_extent && m.stride[a] != n) copy(i);
            n = pool.multiply(n, s.extents[a]);
        }
        if (rows[owner(i)].is_number) copy(i);
    }
    constexpr int count_copies() const {
        int n = 0;
        for (int i = 0; i < t.count; ++i) n += rows[i].copied;
        return n;
    }
    // A copy has strides of its own, so the views of it are looked at again.
    constexpr void choose_copies(plan_roots const& roots) {
        for (int before = -1, now = 0; now > before; now = count_copies()) {
            before = now;
            choose_more_copies(roots);
        }
    }
    constexpr void choose_more_copies(plan_roots const& roots) {
        for (int i = 0; i < t.count; ++i) {
            row_facts const& f = rows[i];
            if (!f.live) continue;
            if (f.is_view && !f.keeps_elements && rows[owner(i)].is_number) copy(f.view_operand);   // a number has no elements to address
            switch (f.kind) {
            case op_kind::alias:
                if (!f.keeps_elements) need_contiguous(f.view_operand);
                break;
            case op_kind::matmul:
                need_matrix(f.operands[0]);
                need_matrix(f.operands[1]);
                break;
            case op_kind::gather:
            case op_kind::bag:
                need_contiguous(f.operands[0]);
                need_contiguous(f.operands[1]);
                break;
            case op_kind::scatter:
                need_rows(f.operands[0]);
                need_contiguous(f.operands[1]);
                break;
            case op_kind::row_function:
            case op_kind::scan:
                for (int k = 0; k < f.operand_count; ++k) need_contiguous(f.operands[k]);
                break;
            default: break;
            }
        }
        for (int r : roots.whole) need_contiguous(r);
        for (int k = 0; k < roots.by_rows.count; ++k) need_rows(roots.by_rows.at[k], roots.row_axis.at[k]);
        for (int r : roots.outputs)
            if (rows[owner(r)].is_leaf) copy(r);   // a leaf asked for as a result
    }
    // A value that is larger than everything it is made of, such as the differences of all pairs: a few operations cost less than its memory.
    constexpr int spread_flops(int i) const {   // a large number: it is none
        row_facts const& f = rows[i];
        op_info const& op = *t[i].op;
        if (f.kind != op_kind::elementwise || op.transcendental || op.flops > 1 || !is_floating(f.type)) return 100;
        extent_id space[max_rank]{};
        int const rank = space_of(f.dims, space);
        int flops = op.flops;
        for (int k = 0; k < f.operand_count; ++k) {
            int const at = owner(f.operands[k]);
            row_facts const& o = rows[at];
            if (o.inlined == 3) flops += spread_flops(at);
            else if (o.is_number || o.inlined == 2) continue;
            else if (o.inlined != 0 || space_of(o.dims, space) >= rank) return 100;
        }
        return flops;
    }
    // What is cheap and reads only memory is computed again in each loop that needs it, instead of being stored.
    constexpr void choose_inlined() {
        sequence<bool> const elsewhere_list(t.count, false);   // read by something other than an element-wise loop
        bool* const elsewhere = elsewhere_list.at;
        for (int i = 0; i < t.count; ++i) {
            row_facts const& f = rows[i];
            if (!f.live) continue;
            if (f.view_operand >= 0) {   // seen through or copied: its elements are found by address
                if (!f.keeps_elements) elsewhere[f.view_operand] = true;
                continue;
            }
            if (f.kind != op_kind::elementwise && f.kind != op_kind::reduce && f.kind != op_kind::concat)
                for (int k = 0; k < f.operand_count; ++k) elsewhere[f.operands[k]] = true;
        }
        for (int i = t.count; i-- > 0;)
            if (elsewhere[i] && rows[i].live && rows[i].is_view) elsewhere[rows[i].view_operand] = true;
        bool any = false;
        for (int i = 0; i < t.count; ++i) {
            row_facts& f = rows[i];
            if ((f.kind != op_kind::elementwise && f.kind != op_kind::index) || elsewhere[i] || f.stored || f.copied || !is_computed(f))
                continue;
            if (f.kind == op_kind::index) f.inlined = options.fuse;
            else {
                bool numbers = true;
                for (int k = 0; numbers && k < f.operand_count; ++k) {
                    row_facts const& o = rows[owner(f.operands[k])];
                    numbers = o.is_number || o.inlined == 2;
                }
                if (numbers) f.inlined = 2;   // made of constants and sizes
                else if (options.fuse && spread_flops(i) <= 3) f.inlined = 3;
                else if (options.fuse && ((f.type == dtype::boolean && t[i].op->flops <= 1) || t[i].op->cheap)) f.inlined = 1;
            }
            any = any || f.inlined != 0;
        }
        for (int i = 0; any && i < t.count;
             ++i) {   // a loop computes in one element type: a comparison of doubles is no part of a loop of floats
            row_facts const& f = rows[i];
            if (!f.live || f.is_view) continue;
            for (int k = 0; k < source_count(f); ++k) {
                int const at = owner(source(f, k));
                row_facts& o = rows[at];
                if (o.inlined == 0 || o.kind != op_kind::elementwise || compute_type(at) == compute_type(i)) continue;
                if (o.inlined != 2 || !is_floating(o.type) || !is_floating(compute_type(i))) o.inlined = 0;
            }
        }
    }

    // Operands of a concatenation are computed where they belong, if nothing else needs them in one piece.
    constexpr void place_concats(plan_roots const& roots) {
        bool any = false;
        for (int i = 0; i < t.count; ++i) any = any || (rows[i].kind == op_kind::concat && rows[i].live);
        if (!options.fuse || !any) return;
        sequence<bool> whole(t.count, false);
        for (int r : roots.whole) whole.at[owner(r)] = true;
        for (int r : roots.by_rows) whole.at[owner(r)] = true;
        for (int i = 0; i < t.count; ++i) {
            row_facts const& f = rows[i];
            if (!f.live) continue;
            bool const strided = f.kind == op_kind::elementwise || f.kind == op_kind::reduce || f.kind == op_kind::concat ||
                                 (f.kind == op_kind::matmul && f.dims.rank == 2);
            if (!strided)
                for (int k = 0; k < f.operand_count; ++k) whole.at[owner(f.operands[k])] = true;
        }
        for (int i = 0; i < t.count; ++i) {
            row_facts const& f = rows[i];
            if (!f.live || f.kind != op_kind::concat) continue;
            auto const axis = static_cast<int>(t.attrs(i).integer[0]);
            extent_id at = zero_extent;
            for (int k = 0; k < f.operand_count; ++k) {
                int const n = f.operands[k];
                row_facts& o = rows[n];
                int times = 0;
                for (int l = 0; l < f.operand_count; ++l) times += f.operands[l] == n;
                bool rows_apart = o.kind != op_kind::concat && o.kind != op_kind::scatter && o.kind != op_kind::reduce &&
                                  o.kind != op_kind::row_function && o.kind != op_kind::part;   // they write rows at any distance
                bool const looks_up = o.kind == op_kind::gather || o.kind == op_kind::bag;      // a row for each index, and no more
                if (looks_up && rows[o.operands[0]].dims.rank != 2) rows_apart = false;
                bool fits = o.kind == op_kind::elementwise || (rows_apart && o.dims.rank == 2 && axis == 1);
                if (o.dims.extents[axis] == zero_extent) fits = false;   // beside one element its strides would be those of a single one
                if (times == 1 && fits && is_computed(o) && !o.is_view && !o.copied && o.inlined == 0 && !whole.at[n] && o.placed < 0) {
                    o.placed = i;
                    o.placed_at = at;
                }
                at = pool.add(at, o.dims.extents[axis]);
            }
        }
    }

public:
    constexpr placement(table_view const& table, extent_pool& extents, plan_options o) : row_loops(table, extents), options(o) {}

    template<class Storage>
    constexpr void run(int const* outputs, int output_count, plan_update const* updates, int update_count, Storage& out) {
        plan_roots roots;
        for (int k = 0; k < output_count; ++k) {
            roots.outputs.push(outputs[k]);
            roots.whole.push(outputs[k]);
        }
        sequence<bool> updated(t.count, false);
        for (int k = 0; k < update_count; ++k) updated.at[updates[k].variable] = true;
        for (int k = 0; k < update_count; ++k) {
            plan_update const& u = updates[k];
            int gradient = u.dense;
            if (u.dense >= 0) roots.whole.push(gradient);
            else {
                slice_rows const s = rows_of_slices(u.values);
                gradient = s.row;
                roots.by_rows.push(s.row);
                roots.row_axis.push(s.first);
                roots.whole.push(u.indices);
            }
            int const from = owner(gradient);   // a gradient that is itself a variable: its value before that one's update
            if (updated.at[from] && (u.dense < 0 || from != u.variable)) roots.outputs.push(gradient);
            if (u.dense < 0 && updated.at[owner(u.indices)]) roots.outputs.push(u.indices);   // likewise the rows that it names
        }
        mark_live(roots.whole);
        mark_live(roots.by_rows);
        spread_live();
        choose_copies(roots);
        for (int r : roots.whole) rows[owner(r)].stored = rows[owner(r)].whole = true;
        for (int r : roots.by_rows) rows[owner(r)].stored = rows[owner(r)].whole = true;
        choose_inlined();
        place_concats(roots);
        for (int i = 0; i < t.count; ++i) out.rows[i] = rows[i];
        out.polynomial_count = pool.save(out.polynomials);
    }
};

XGRAD_NAMESPACE_END
