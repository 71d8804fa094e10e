// SPDX-License-Identifier: MIT
// Which rows run in one loop. Rows are taken in topological order; each joins the last step that holds one of its operands if the order of
// steps stays valid, else it opens a step. So a step's operands never come after it, and no search for cycles is needed.
#pragma once

#include <xgrad/plan/index_checks.hpp>
#include <xgrad/plan/lanes.hpp>

XGRAD_NAMESPACE_BEGIN

/// When an update runs.
struct due_update {
    int next;      // after the same step
    bool fused;    // in the tiles of the product before it
    bool checks;   // its indices are looked at after step check_at
};

/// What is known once steps are formed. The programs of steps depend on nothing else, so they are written range by range, each range in a constant
/// evaluation of its own: compilers bound the length of one.
template<int Rows, int Operands, int Updates>
struct fused_plan {
    row_facts rows[Rows];
    step_draft steps[Rows + Operands];
    member members[Rows + Operands];
    due_update updates[Updates + 1];
    int update_at[Rows + Operands + 1];   // the first update behind step s, at s + 1; or -1
    int range_end[Rows + Operands + 1];   // of the steps
    int check_at;
    extent polynomials[2 * Rows + 64];
    int step_count, range_count, polynomial_count;
};

class fusion : lane_choice {
    plan_options options;
    static constexpr int full_weight = 200;    // of a step: clang folds at most 256 instructions, and stores may follow
    static constexpr int range_weight = 400;   // steps and members of one evaluation

    struct readers {   // of a row, seen through views
        int last;      // step
        int count;     // loops
    };
    sequence<readers> read_by;

    // Every operand that row `i` would take from a register of step `s` must lie along the same dimensions there.
    constexpr bool operands_fit(int s, int i, int row, axis_map const& m) const {
        row_facts const& f = rows[row];
        if (f.copied && row == i) return false;
        for (int k = 0; k < f.operand_count; ++k) {
            int o = f.operands[k];
            int const from = owner(o);
            if (rows[from].inlined == 0 && rows[from].step != s) continue;
            axis_map map = f.kind == op_kind::reduce ? m : operand_map(m, f.dims, rows[o].dims);
            for (; o != from; o = rows[o].view_operand) {
                if (!rows[o].keeps_elements) return false;
                map = through(o, map);
            }
            if (rows[o].inlined != 0) {
                if (!operands_fit(s, i, o, map)) return false;
            } else {
                if (!is_natural(o, map)) return false;
                if (rows[o].kind == op_kind::reduce && !gives_row_value(o)) return false;
            }
        }
        return true;
    }

    constexpr bool can_join(int s, int i) const {
        step_draft const& d = steps[s];
        if (!options.fuse || (d.kind != step_kind::nest && d.kind != step_kind::matmul)) return false;
        if (rows[i].copied || rows[i].kind == op_kind::random || compute_type(i) != d.type) return false;
        extent_id space[max_rank]{};
        id_shape const& loop = loop_shape(i);
        int const rank = space_of(loop, space);
        if (d.kind == step_kind::matmul) {
            if (rows[i].kind != op_kind::elementwise || !has_space(d, space, rank) || rank == 0 || reads_position(i)) return false;
            id_shape const& product = rows[d.anchor].dims;
            if (product.extents[product.rank - 1] == one_extent) return false;   // a tile of one column would fill one lane of each batch
        } else if (!has_space(d, space, rank)) {   // a value for each row: the space without its last dimension
            if (rank != d.rank - 1) return false;
            for (int k = 0; k < rank; ++k)
                if (space[k] != d.space[k]) return false;
            if (rows[i].kind == op_kind::reduce && (rank == 0 || reduced_dims(i) != (1 << rank) - 1)) return false;
            bool row_values = true;   // all its operands in this step are row values
            for_sources(
                i, [&](int o, bool) { row_values = row_values && (rows[o].step != s || is_row_level(d, o) || gives_row_value(o)); });
            if (!row_values) return false;
        }
        return operands_fit(s, i, i, natural_map(loop));
    }

    constexpr void assign(int i) {
        int after = -1, candidate = -1;
        for_sources(i, [&](int o, bool) {
            // what several steps or other rows have put together is read from memory, when all of it is there
            int const first = rows[o].ready + (rows[o].step != rows[o].ready);
            if (first > after) after = first;
            if (rows[o].step > candidate) candidate = rows[o].step;
        });
        int full = -1;
        while (candidate >= 0 && steps[candidate].weight >= full_weight) {
            full = candidate;
            candidate = steps[candidate].goes_on;
        }
        if (candidate < 0 || candidate < after || !can_join(candidate, i)) {
            candidate = open(step_kind::nest, compute_type(i), -1);
            step_list.last().rank = space_of(loop_shape(i), step_list.last().space);
            if (full >= 0 && steps[full].goes_on < 0) step_list.at[full].goes_on = candidate;
        }
        add_member(candidate, i, -1);
        int weight = rows[i].stored ? 2 : 1;   // itself, its store, its loads
        for_sources(i, [&](int o, bool) { weight += rows[o].step != candidate; });
        step_list.at[candidate].weight += weight;
        rows[i].step = rows[i].ready = candidate;
    }
    constexpr void assign_anchor(int i, step_kind kind) {
        int const s = open(kind, rows[i].type, i);
        step_draft& d = step_list.at[s];
        if (kind == step_kind::matmul)
            d.rank = rows[i].dims.rank == 2 ? space_of(rows[i].dims, d.space) : -1;   // nothing joins a stack of products
        rows[i].step = rows[i].ready = s;
    }
    constexpr void assign_concat(int i) {
        row_facts& f = rows[i];
        for (int k = 0; k < f.operand_count; ++k) {
            row_facts const& o = rows[f.operands[k]];
            if (o.placed == i) {
                if (o.ready > f.ready) f.ready = o.ready;
                continue;
            }
            int const s = open(step_kind::nest, f.type == dtype::boolean ? dtype::float32 : f.type, -1);
            step_list.at[s].rank = space_of(o.dims, step_list.at[s].space);
            add_member(s, i, k);
            f.ready = s;
        }
    }

    constexpr void form_steps() {
        for (int i = 0; i < t.count; ++i) {
            row_facts& f = rows[i];
            if (!f.live || f.inlined != 0) continue;
            if (f.is_view) f.ready = rows[f.view_operand].ready;
            else if (f.copied) assign(i);
            else if (!f.is_leaf) switch (f.kind) {
                case op_kind::matmul: assign_anchor(i, step_kind::matmul); break;
                case op_kind::gather: assign_anchor(i, step_kind::gather); break;
                case op_kind::bag: assign_anchor(i, step_kind::bag); break;
                case op_kind::scatter: assign_anchor(i, step_kind::scatter); break;
                case op_kind::row_function: assign_anchor(i, step_kind::row_function); break;
                case op_kind::scan: assign_anchor(i, step_kind::scan); break;
                case op_kind::part: f.ready = rows[f.operands[0]].ready; break;
                case op_kind::concat: assign_concat(i); break;
                default: assign(i);
                }
        }
        choose_stored();
        if (options.fuse) choose_lanes();
    }

    // A row needs memory if another step reads it, or a reader that is not an element-wise loop.
    constexpr void choose_stored() {
        for (int i = 0; i < t.count; ++i) {
            row_facts& f = rows[i];
            if (f.inlined != 0 || !is_computed(f)) continue;
            if (f.kind == op_kind::part) continue;   // memory of the operation whose output it is
            if (f.placed >= 0 || f.kind == op_kind::concat || f.copied) f.stored = true;
            if (f.kind == op_kind::gather || f.kind == op_kind::bag || f.kind == op_kind::scatter) f.stored = true;
            bool const loop = f.kind == op_kind::elementwise || f.kind == op_kind::reduce;
            for_sources(i, [&](int o, bool keeps) {
                if (!rows[o].is_leaf && (!loop || !keeps || rows[o].step != f.step)) rows[o].stored = true;
            });
            if (f.kind == op_kind::reduce && !gives_row_value(i)) f.stored = true;
        }
    }

    // Who reads each row, seen through views: the last step, and how many loops, results and updates.
    constexpr void find_readers(int const* outputs, int output_count, plan_update const* updates, int update_count) {
        auto read = [&](int o, int step) {
            read_by.at[o].last = step;
            ++read_by.at[o].count;
        };
        for (int s = 0; s < step_list.count; ++s) {
            step_draft const& d = steps[s];
            if (d.anchor >= 0) for_sources(d.anchor, [&](int o, bool) { read(o, s); });
            for (int m = d.first_member; m >= 0; m = members[m].next) {
                member const& w = members[m];
                if (rows[w.row].is_leaf) read(w.row, s);   // the copy of a variable that is asked for as a result
                if (w.copy_operand >= 0) for_copied(w, [&](int o) { read(o, s); });
                else for_sources(w.row, [&](int o, bool) { read(o, s); });
            }
        }
        for (int k = 0; k < output_count; ++k) ++read_by.at[owner(outputs[k])].count;
        for (int k = 0; k < update_count; ++k)
            for (int o : {updates[k].dense, updates[k].values, updates[k].indices})
                if (o >= 0) ++read_by.at[owner(o)].count;
    }

    // After which step an update goes: its gradient is complete and the old value has been read for the last time.
    constexpr int place_update(plan_update const& u, index_checks const& checks, bool& fused) {
        int const g = owner(u.dense >= 0 ? u.dense : rows_of_slices(u.values).row);
        int at = rows[g].ready;
        if (u.dense < 0)
            if (int const q = rows[owner(u.indices)].ready; q > at) at = q;
        int const last = read_by.at[u.variable].last;
        row_facts& f = rows[g];
        if (options.gate == gating::none && options.fuse && u.dense >= 0 && f.kind == op_kind::matmul && !f.copied && f.placed < 0 &&
            steps[f.step].first_member < 0 && last < at && checks.last < at && f.dims.rank == 2 && f.dims == rows[u.variable].dims &&
            read_by.at[g].count == 1) {   // by this update alone
            fused = true;
            f.stored = false;
        }
        if (options.gate == gating::graph) return step_list.count - 1;
        at = last > at ? last : at;
        return checks.last > at ? checks.last : at;
    }

public:
    constexpr fusion(table_view const& table, extent_pool& extents, row_facts const* placed, plan_options o, int operands)
        : lane_choice(table, extents, placed, operands), options(o), read_by(table.count, {-1, 0}) {}

    template<class Storage>
    constexpr void run(int const* outputs, int output_count, plan_update const* updates, int update_count, Storage& out) {
        form_steps();
        find_readers(outputs, output_count, updates, update_count);
        int const n = step_list.count;
        for (int s = 0; s <= n; ++s) out.update_at[s] = -1;
        index_checks checks(t, steps, n, updates, update_count);
        out.check_at = -1;
        for (int k = 0; k < update_count; ++k)
            if (checks.open.at[k])
                if (int const q = rows[owner(updates[k].indices)].ready; q > out.check_at) out.check_at = q;
        if (out.check_at > checks.last) checks.last = out.check_at;
        for (int k = update_count; k-- > 0;) {
            due_update& due = out.updates[k];
            int& first = out.update_at[place_update(updates[k], checks, due.fused) + 1];
            due.checks = checks.open.at[k];
            due.next = first;
            first = k;
        }
        for (int i = 0; i < t.count; ++i) out.rows[i] = rows[i];
        for (int i = 0; i < member_list.count; ++i) out.members[i] = members[i];
        int weight = 0;
        for (int s = 0; s < n; ++s) {
            out.steps[s] = steps[s];
            if (weight >= range_weight) {
                out.range_end[out.range_count++] = s;
                weight = 0;
            }
            ++weight;
            for (int m = steps[s].first_member; m >= 0; m = members[m].next) ++weight;
        }
        out.range_end[out.range_count++] = n;
        out.step_count = n;
        out.polynomial_count = pool.save(out.polynomials);
    }
};

XGRAD_NAMESPACE_END
