// SPDX-License-Identifier: MIT
// Along which dimension the lanes of a loop nest lie. A short innermost extent wastes lanes and makes every row end in a sum across them; then a
// longer dimension takes the lanes: intermediates are laid out with it innermost, and operands that are read often are copied so once.
#pragma once

#include <xgrad/plan/loops.hpp>

XGRAD_NAMESPACE_BEGIN

class lane_choice : protected row_loops {
    static constexpr int short_row = 32;      // elements: up to here a row wastes lanes
    static constexpr int longest_row = 256;   // of a block of lanes must stay in the cache
    static constexpr int least_lanes = 64;
    static constexpr int least_reads = 4;   // of each element, for which it is copied

    struct facts {   // of a step
        bool wants, needed;
    };
    sequence<facts> nests;   // of each step
    static constexpr signed char unseen = -2, natural = -1;
    sequence<signed char> layout;   // of each row: the axis that lies innermost, or natural

    constexpr bool is_long(extent_id e) const {
        extent const& x = pool.values.at[e];
        return x.count > 0 || x.constant >= least_lanes;
    }
    constexpr bool repeats(extent_id e) const {
        extent const& x = pool.values.at[e];
        return x.count > 0 || x.constant >= least_reads;
    }
    static constexpr int axis_along(id_shape const& s, axis_map const& m, int dim) {
        for (int a = 0; a < s.rank; ++a)
            if (m.to[a] == dim) return a;
        return -1;
    }
    // The memory that row `i` reads: calls f(row that is addressed, map of its axes). A view that mixes elements is addressed itself.
    template<class F>
    constexpr void for_reads(int i, axis_map const& m, F& f) const {
        row_facts const& r = rows[i];
        for (int k = 0; k < r.operand_count; ++k) {
            int o = r.operands[k];
            axis_map map = r.kind == op_kind::reduce ? m : operand_map(m, r.dims, rows[o].dims);
            for (; rows[o].is_view && rows[o].keeps_elements; o = rows[o].view_operand) map = through(o, map);
            if (rows[o].is_number && !rows[o].copied) continue;
            if (rows[o].inlined != 0) for_reads(o, map, f);
            else f(o, map);
        }
    }
    template<class F>
    constexpr void for_accesses(step_draft const& d, F f) const {
        for (int m = d.first_member; m >= 0; m = members[m].next) {
            int const i = members[m].row;
            for_reads(i, natural_map(loop_shape(i)), f);
            f(i, rows[i].kind == op_kind::reduce ? result_map(i) : natural_map(rows[i].dims));
        }
    }
    constexpr extent_id stride_along(int row, axis_map const& m, int dim) const {
        memory_view const v = locate(row);
        extent_id e = zero_extent;
        for (int a = 0; a < rows[row].dims.rank; ++a)
            if (m.to[a] == dim) e = pool.add(e, v.stride[a]);
        return e;
    }

    // What the loop itself must be like. Rows with values of their own stay rows, in blocks of lanes; else the lanes simply come last.
    constexpr bool fits(step_draft& d) const {
        if (d.kind != step_kind::nest || d.rank < 2 || !is_floating(d.type)) return false;
        extent const& last = pool.values.at[d.space[d.rank - 1]];
        if (last.count > 0 || last.constant > longest_row) return false;
        int lane = 0;
        while (lane < d.rank - 1 && !is_long(d.space[lane])) ++lane;
        if (lane == d.rank - 1) return false;
        int const outer = (1 << (d.rank - 1)) - 1;
        bool rows_first = false, sums = true, positions = false;
        for (int m = d.first_member; m >= 0; m = members[m].next) {
            int const i = members[m].row;
            row_facts const& f = rows[i];
            if (members[m].copy_operand >= 0 || f.copied || (f.kind != op_kind::elementwise && f.kind != op_kind::reduce)) return false;
            bool const of_row = is_row_level(d, i);
            positions = positions || reads_position(i);
            rows_first = rows_first || of_row || gives_row_value(i);
            if (f.kind == op_kind::reduce && !of_row && !gives_row_value(i)) sums = sums && (reduced_dims(i) & outer) == outer;
        }
        if (rows_first && (!sums || positions)) return false;
        d.lane = static_cast<signed char>(lane);
        d.in_blocks = rows_first;
        return true;
    }
    // Memory that the lanes can address: the same for all, side by side, or laid out so that they are.
    constexpr bool reaches(step_draft const& d, int row, axis_map const& m, bool hopeful) const {
        row_facts const& f = rows[row];
        if (f.kind == op_kind::index || f.kind == op_kind::random) return false;
        int const axis = axis_along(f.dims, m, d.lane);
        if (axis < 0) return true;
        if (is_computed(f) && !f.is_view) {
            if (!f.stored && f.step >= 0 && &steps[f.step] == &d) return true;   // stays in registers, or is kept as we like
            if (hopeful ? !f.whole && f.step >= 0 && steps[f.step].lane >= 0 : layout.at[row] == axis) return true;
        }
        extent_id const e = stride_along(row, m, d.lane);
        if (e == zero_extent || e == one_extent) return true;
        if (!f.is_leaf || f.is_number || f.copied || (!hopeful && layout.at[row] != axis)) return false;
        int along = 0;   // dimensions that the leaf has
        for (int a = 0; a < f.dims.rank; ++a)
            if (m.to[a] >= 0) along |= 1 << m.to[a];
        for (int k = 0; k < d.rank; ++k)
            if ((along >> k & 1) == 0 && repeats(d.space[k])) return true;
        return false;
    }
    constexpr bool reaches_all(step_draft const& d, bool hopeful) const {
        bool all = true;
        for_accesses(d, [&](int row, axis_map const& m) { all = all && reaches(d, row, m, hopeful); });
        return all;
    }
    constexpr void ask(int row, int axis) {
        signed char& l = layout.at[row];
        if (l == unseen) l = static_cast<signed char>(axis);
        else if (l != axis) l = natural;
    }
    constexpr void keep(int row) { layout.at[owner(row)] = natural; }   // somebody reads it as it is
    // What all who touch a row agree on. Leaves are copied for those who want it.
    constexpr void choose_layouts() {
        for (int i = 0; i < t.count; ++i) {
            row_facts const& f = rows[i];
            bool const fixed = f.whole || f.placed >= 0 || f.copied || f.kind == op_kind::concat || f.kind == op_kind::part;
            layout.at[i] = fixed && !(f.is_leaf && !f.copied) ? natural : unseen;
        }
        for (int s = 0; s < nests.count; ++s) {
            step_draft const& d = steps[s];
            if (d.lane >= 0)
                for_accesses(d, [&](int row, axis_map const& m) {
                    int const axis = axis_along(rows[row].dims, m, d.lane);
                    if (rows[row].is_view) keep(row);
                    else if (axis >= 0) ask(row, axis);
                });
            else {
                auto fix = [&](int row, bool) {
                    if (!rows[row].is_leaf) keep(row);
                };
                if (d.anchor >= 0) {
                    fix(d.anchor, true);
                    for_sources(d.anchor, fix);
                }
                for (int m = d.first_member; m >= 0; m = members[m].next) {
                    fix(members[m].row, true);
                    if (members[m].copy_operand >= 0) for_copied(members[m], [&](int o) { fix(o, true); });
                    else for_sources(members[m].row, fix);
                }
            }
        }
    }
    // Nests that gain, and those that share memory with them.
    constexpr void choose_needed() {
        sequence<bool> const shared(t.count, false);
        for (bool changed = true; changed;) {
            changed = false;
            for (int s = 0; s < nests.count; ++s) {
                step_draft const& d = steps[s];
                facts& n = nests.at[s];
                if (d.lane < 0 || n.needed) continue;
                n.needed = n.wants;
                auto const moved = [&](int row, axis_map const& m) {
                    return !rows[row].is_leaf && layout.at[row] >= 0 && axis_along(rows[row].dims, m, d.lane) >= 0;
                };
                for_accesses(d, [&](int row, axis_map const& m) { n.needed = n.needed || (moved(row, m) && shared.at[row]); });
                if (!n.needed) continue;
                changed = true;
                for_accesses(d, [&](int row, axis_map const& m) { shared.at[row] = shared.at[row] || moved(row, m); });
            }
        }
    }

    constexpr void leave(int s) {
        step_list.at[s].lane = -1;
        step_list.at[s].in_blocks = nests.at[s].wants = false;
    }
    constexpr void leave() {
        for (int s = 0; s < nests.count; ++s) leave(s);
    }
    // Leaves whose copies the lanes read: the copies are steps in front.
    constexpr void lay_out() {
        for (int i = 0; i < t.count; ++i)
            if (!rows[i].is_leaf && layout.at[i] >= 0) rows[i].lane_axis = layout.at[i];
        int const formed = nests.count;
        for (int s = 0; s < formed; ++s) {
            if (steps[s].lane < 0) continue;
            for_accesses(steps[s], [&](int row, axis_map const& m) {
                row_facts& f = rows[row];
                if (!f.is_leaf || f.copied || f.packed || axis_along(f.dims, m, steps[s].lane) < 0) return;
                if (extent_id const e = stride_along(row, m, steps[s].lane); e == zero_extent || e == one_extent) return;
                f.packed = true;
                f.lane_axis = layout.at[row];
                int const copy = open(step_kind::nest, compute_type(row), -1);
                step_list.at[copy].rank = space_of(f.dims, step_list.at[copy].space);
                add_member(copy, row, -1);
            });
        }
        int const copies = step_list.count - formed;
        if (copies == 0) return;
        sequence<step_draft> const ordered(step_list);
        for (int s = 0; s < ordered.count; ++s) step_list.at[s < formed ? s + copies : s - formed] = ordered.at[s];
        for (int i = 0; i < t.count; ++i) {
            if (rows[i].step >= 0) rows[i].step += copies;
            if (rows[i].ready >= 0) rows[i].ready += copies;
        }
    }

protected:
    sequence<step_draft> step_list;
    sequence<member> member_list;

    constexpr lane_choice(table_view const& table, extent_pool& extents, row_facts const* placed, int operands)
        : row_loops(table, extents, placed, nullptr, nullptr), layout(table.count, natural), step_list(table.count + operands),
          member_list(table.count + operands) {
        steps = step_list.at;   // as many as can be: they do not move
        members = member_list.at;
    }

    constexpr void add_member(int step, int row, int copy_operand) {
        step_draft& d = step_list.at[step];
        int const m = member_list.count;
        member_list.push({row, copy_operand, -1});
        if (d.first_member < 0) d.first_member = m;
        else member_list.at[d.last_member].next = m;
        d.last_member = m;
    }
    constexpr int open(step_kind kind, dtype type, int anchor) {
        step_list.push({kind, type, anchor, -1, -1, 0, {}, -1, false, 0, -1});
        return step_list.count - 1;
    }

    /// For all nests, once they are formed.
    constexpr void choose_lanes() {
        bool any = false;
        for (int s = 0; s < step_list.count; ++s) {
            step_draft& d = step_list.at[s];
            nests.push({fits(d) && pool.values.at[d.space[d.rank - 1]].constant <= short_row, false});
            any = any || nests.last().wants;
        }
        if (!any) return leave();
        any = false;
        for (int s = 0; s < nests.count; ++s) {
            if (!nests.at[s].wants) continue;
            if (reaches_all(steps[s], true)) any = true;
            else leave(s);
        }
        if (!any) return leave();
        for (bool changed = true; changed;) {
            choose_layouts();
            changed = false;
            for (int s = 0; s < nests.count; ++s)
                if (steps[s].lane >= 0 && !reaches_all(steps[s], false)) {
                    leave(s);
                    changed = true;
                }
        }
        choose_needed();
        for (int s = 0; s < nests.count; ++s)
            if (!nests.at[s].needed) leave(s);
        choose_layouts();
        lay_out();
    }
};

XGRAD_NAMESPACE_END
