// SPDX-License-Identifier: MIT
// Chooses the dimension along which the SIMD lanes of a loop nest run.
// A short innermost extent wastes lanes and ends every row with a sum across lanes. In that case a longer dimension gets the lanes:
// intermediates are stored with it innermost, and operands that are read often get one copy in that layout.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/forming.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

inline constexpr int short_row = 32;   // elements: rows up to this length waste lanes
inline constexpr int least_lanes = 64;
inline constexpr int least_reads = 4;   // of each element: from here on, a copy pays off
inline constexpr signed char undecided = -2, natural = -1;

constexpr bool is_long(forming const& plan, extent_id e) {
    extent const& x = plan.pool.values.at[e];
    return x.count > 0 || x.constant >= least_lanes;
}
constexpr bool repeats(forming const& plan, extent_id e) {
    extent const& x = plan.pool.values.at[e];
    return x.count > 0 || x.constant >= least_reads;
}
constexpr int axis_along(id_shape const& s, axis_map const& m, int dim) {
    for (int a = 0; a < s.rank; ++a)
        if (m.to[a] == dim) return a;
    return -1;
}
// Calls f(node, map of its axes) for the memory that node `i` reads. A view that does not keep elements is passed itself.
template<class F>
constexpr void for_reads(forming const& plan, int i, axis_map const& m, F& f) {
    node_facts const& r = plan.nodes[i];
    for (int k = 0; k < r.operand_count; ++k) {
        int o = r.operands[k];
        axis_map map = r.kind == op_kind::reduce ? m : operand_map(m, r.dims, plan.nodes[o].dims);
        for (; plan.nodes[o].is_view && plan.nodes[o].keeps_elements; o = plan.nodes[o].view_operand) map = through(plan, o, map);
        if (plan.nodes[o].is_number && !plan.nodes[o].copied) continue;
        if (plan.nodes[o].inlined != inlining::none) for_reads(plan, o, map, f);
        else f(o, map);
    }
}
// Lists the memory that nests with lanes read and write, each entry once.
constexpr void find_accesses(forming& plan) {
    sequence<int> latest(plan.t.count, zero_elements);   // access of each node, + 1
    int begin = 0;
    for (int s = 0; s < plan.nests.count; ++s) {
        step_draft const& d = plan.steps[s];
        auto add = [&](int node, axis_map const& m) {
            id_shape const& dims = plan.nodes[node].dims;
            if (int const known = latest.at[node] - 1; known >= begin) {
                bool same = true;
                for (int a = 0; same && a < dims.rank; ++a) same = plan.accesses.at[known].map.to[a] == m.to[a];
                if (same) return;
            }
            plan.accesses.push({node, m, axis_along(dims, m, d.lane)});
            latest.at[node] = plan.accesses.count;
        };
        for (int m = d.lane >= 0 ? d.first_member : -1; m >= 0; m = plan.members[m].next) {
            int const i = plan.members[m].node;
            for_reads(plan, i, natural_map(loop_shape(plan, i)), add);
            add(i, plan.nodes[i].kind == op_kind::reduce ? result_map(plan, i) : natural_map(plan.nodes[i].dims));
        }
        plan.access_end.push(begin = plan.accesses.count);
    }
}
template<class F>
constexpr void for_accesses(forming const& plan, int s, F f) {
    for (int k = s > 0 ? plan.access_end.at[s - 1] : 0, end = plan.access_end.at[s]; k < end; ++k) f(plan.accesses.at[k]);
}
constexpr extent_id stride_along(forming const& plan, int node, axis_map const& m, int dim) {
    memory_view const v = locate(plan, node);
    extent_id e = zero_extent;
    for (int a = 0; a < plan.nodes[node].dims.rank; ++a)
        if (m.to[a] == dim) e = plan.pool.add(e, v.stride[a]);
    return e;
}

// Whether a loop allows other lanes. Rows that have row values stay rows, and blocks of lanes run them.
// Otherwise the dimension simply becomes the last one.
constexpr bool allows_lanes(forming const& plan, step_draft& d) {
    if (!facts_of(d.kind).over_elements || d.rank < 2 || !is_floating(d.type)) return false;
    extent const& last = plan.pool.values.at[d.space[d.rank - 1]];
    if (last.count > 0 || last.constant > longest_row) return false;
    int lane = 0;
    while (lane < d.rank - 1 && !is_long(plan, d.space[lane])) ++lane;
    if (lane == d.rank - 1) return false;
    int const outer = (1 << (d.rank - 1)) - 1;
    bool rows_first = false, sums = true, positions = false;
    for (int m = d.first_member; m >= 0; m = plan.members[m].next) {
        int const i = plan.members[m].node;
        node_facts const& f = plan.nodes[i];
        if (plan.members[m].copy_operand >= 0 || f.copied || (f.kind != op_kind::elementwise && f.kind != op_kind::reduce)) return false;
        bool const of_row = is_row_level(plan, d, i);
        positions = positions || reads_position(plan, i);
        rows_first = rows_first || of_row || gives_row_value(plan, i);
        if (f.kind == op_kind::reduce && !of_row && !gives_row_value(plan, i)) sums = sums && (reduced_dims(plan, i) & outer) == outer;
    }
    if (rows_first && (!sums || positions)) return false;
    d.lane = static_cast<signed char>(lane);
    d.in_blocks = rows_first;
    return true;
}
// Whether lanes can address the memory: one element for all lanes, adjacent elements, or a layout that can make them adjacent.
// With `before_layouts`, layouts are not chosen yet and any possible one counts.
constexpr bool lanes_can_address(forming const& plan, step_draft const& d, lane_access const& access, bool before_layouts) {
    auto const& [node, m, axis] = access;
    node_facts const& f = plan.nodes[node];
    if (f.kind == op_kind::index || f.kind == op_kind::random) return false;
    if (axis < 0) return true;
    if (is_computed(f) && !f.is_view) {
        if (!f.stored && f.step >= 0 && &plan.steps[f.step] == &d) return true;   // stays in registers, or its layout is free
        if (before_layouts ? !f.whole && f.step >= 0 && plan.steps[f.step].lane >= 0 : plan.layout.at[node] == axis) return true;
    }
    extent_id const e = stride_along(plan, node, m, d.lane);
    if (e == zero_extent || e == one_extent) return true;
    if (!f.is_leaf || f.is_number || f.kind == op_kind::updated || f.copied || (!before_layouts && plan.layout.at[node] != axis))
        return false;
    int along = 0;   // dimensions that the leaf has
    for (int a = 0; a < f.dims.rank; ++a)
        if (m.to[a] >= 0) along |= 1 << m.to[a];
    for (int k = 0; k < d.rank; ++k)
        if ((along >> k & 1) == 0 && repeats(plan, d.space[k])) return true;
    return false;
}
constexpr bool lanes_can_address_all(forming const& plan, int s, bool before_layouts) {
    bool all = true;
    for_accesses(plan, s, [&](lane_access const& a) { all = all && lanes_can_address(plan, plan.steps[s], a, before_layouts); });
    return all;
}
constexpr void request_layout(forming& plan, int node, int axis) {
    signed char& l = plan.layout.at[node];
    if (l == undecided) l = static_cast<signed char>(axis);
    else if (l != axis) l = natural;
}
constexpr void keep_natural(forming& plan, int node) { plan.layout.at[owner(plan, node)] = natural; }   // it is read in its natural layout
// Gives each node the layout that all its readers and writers agree on. Leaves are copied for readers that want another layout.
constexpr void choose_layouts(forming& plan) {
    for (int i = 0; i < plan.t.count; ++i) {
        node_facts const& f = plan.nodes[i];
        bool const fixed = f.whole || f.placed >= 0 || f.copied || f.kind == op_kind::concat || f.kind == op_kind::part;
        plan.layout.at[i] = fixed && !(f.is_leaf && !f.copied) ? natural : undecided;
    }
    for (int s = 0; s < plan.nests.count; ++s) {
        step_draft const& d = plan.steps[s];
        if (d.lane >= 0)
            for_accesses(plan, s, [&](lane_access const& a) {
                if (plan.nodes[a.node].is_view) keep_natural(plan, a.node);
                else if (a.axis >= 0) request_layout(plan, a.node, a.axis);
            });
        else {
            auto fix = [&](int node, bool) {
                if (!plan.nodes[node].is_leaf) keep_natural(plan, node);
            };
            if (d.anchor >= 0) {
                fix(d.anchor, true);
                for_sources(plan, d.anchor, fix);
            }
            for (int m = d.first_member; m >= 0; m = plan.members[m].next) {
                fix(plan.members[m].node, true);
                if (plan.members[m].copy_operand >= 0) for_copied(plan, plan.members[m], [&](int o) { fix(o, true); });
                else for_sources(plan, plan.members[m].node, fix);
            }
        }
    }
}
// Marks the nests that gain from other lanes, and those that share memory with them.
constexpr void choose_needed(forming& plan) {
    sequence<bool> const shared(plan.t.count, zero_elements);
    for (int s = 0; s < plan.nests.count; ++s) plan.nests.at[s].needed = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int s = 0; s < plan.nests.count; ++s) {
            lane_wish& n = plan.nests.at[s];
            if (plan.steps[s].lane < 0 || n.needed) continue;
            n.needed = n.wants;
            auto const moved = [&](lane_access const& a) {
                return a.axis >= 0 && !plan.nodes[a.node].is_leaf && plan.layout.at[a.node] >= 0;
            };
            for_accesses(plan, s, [&](lane_access const& a) { n.needed = n.needed || (shared.at[a.node] && moved(a)); });
            if (!n.needed) continue;
            changed = true;
            for_accesses(plan, s, [&](lane_access const& a) { shared.at[a.node] = shared.at[a.node] || moved(a); });
        }
    }
}

constexpr void drop_lanes(forming& plan, int s) {
    plan.step_list.at[s].lane = -1;
    plan.step_list.at[s].in_blocks = plan.nests.at[s].wants = false;
}
constexpr void drop_lanes(forming& plan) {
    for (int s = 0; s < plan.nests.count; ++s) drop_lanes(plan, s);
}
// Applies the layouts. Leaves that lanes read in another layout are copied by new steps at the beginning.
constexpr void apply_layouts(forming& plan) {
    for (int i = 0; i < plan.t.count; ++i)
        if (!plan.nodes[i].is_leaf && plan.layout.at[i] >= 0) plan.nodes[i].lane_axis = plan.layout.at[i];
    int const formed = plan.nests.count;
    for (int s = 0; s < formed; ++s) {
        if (plan.steps[s].lane < 0) continue;
        for_accesses(plan, s, [&](lane_access const& a) {
            int const node = a.node;
            node_facts& f = plan.nodes[node];
            if (!f.is_leaf || f.copied || f.packed || a.axis < 0) return;
            if (extent_id const e = stride_along(plan, node, a.map, plan.steps[s].lane); e == zero_extent || e == one_extent) return;
            f.packed = true;
            f.lane_axis = plan.layout.at[node];
            int const copy = open_loop(plan, compute_type(plan, node));
            plan.step_list.at[copy].rank = space_of(f.dims, plan.step_list.at[copy].space);
            add_member(plan, copy, node, -1);
        });
    }
    int const copies = plan.step_list.count - formed;
    if (copies == 0) return;
    for (int& end : plan.stage_end) end += copies;
    sequence<step_draft> const ordered(plan.step_list);
    for (int s = 0; s < ordered.count; ++s) plan.step_list.at[s < formed ? s + copies : s - formed] = ordered.at[s];
    for (int i = 0; i < plan.t.count; ++i) {
        if (plan.nodes[i].step >= 0) plan.nodes[i].step += copies;
        if (plan.nodes[i].ready >= 0) plan.nodes[i].ready += copies;
    }
}

/// Chooses the lanes of all nests. Runs after the steps are formed.
constexpr void choose_lanes(forming& plan) {
    bool any = false;
    for (int s = 0; s < plan.step_list.count; ++s) {
        step_draft& d = plan.step_list.at[s];
        plan.nests.push({allows_lanes(plan, d) && plan.pool.values.at[d.space[d.rank - 1]].constant <= short_row, false});
        any = any || plan.nests.last().wants;
    }
    if (!any) return drop_lanes(plan);
    find_accesses(plan);
    any = false;
    for (int s = 0; s < plan.nests.count; ++s) {
        if (!plan.nests.at[s].wants) continue;
        if (lanes_can_address_all(plan, s, true)) any = true;
        else drop_lanes(plan, s);
    }
    if (!any) return drop_lanes(plan);
    // A nest that drops out reads memory in its natural layout, so others may have to drop out too. Repeat until all that remain agree.
    for (bool changed = true; changed;) {
        changed = false;
        choose_layouts(plan);
        auto const drop_unless = [&](auto stays) {
            for (int s = 0; s < plan.nests.count; ++s)
                if (plan.steps[s].lane >= 0 && !stays(s)) {
                    drop_lanes(plan, s);
                    changed = true;
                }
        };
        drop_unless([&](int s) { return lanes_can_address_all(plan, s, false); });
        if (changed) continue;
        choose_needed(plan);
        drop_unless([&](int s) { return plan.nests.at[s].needed; });
    }
    apply_layouts(plan);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
