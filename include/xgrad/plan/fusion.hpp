// SPDX-License-Identifier: MIT
// Which rows run in one loop. Rows are taken in topological order; each joins the last step that holds one of its operands if the order of
// steps stays valid, else it opens a step. So a step's operands never come after it, and no search for cycles is needed.
#pragma once

#include <xgrad/plan/draft.hpp>
#include <xgrad/plan/views.hpp>

XGRAD_NAMESPACE_BEGIN

class fusion : protected row_views {
protected:
    plan_options options;
    std::vector<unsigned char> live, inlined, stored;
    std::vector<int> step_of;    // of a computed row, -1 else
    std::vector<int> ready;      // the step after which a row's memory is complete; -1: from the start
    std::vector<step_draft> steps;

    constexpr fusion(table_view const& table, plan_options o)
        : row_views(table), options(o), live(table.count, 0), inlined(table.count, 0), stored(table.count, 0), step_of(table.count, -1), ready(table.count, -1) {}

    constexpr bool is_leaf(int i) const {
        op_kind const k = t.kind(i);
        return k == op_kind::input || k == op_kind::variable || k == op_kind::constant || k == op_kind::size;
    }
    constexpr bool is_number(int i) const { return t.kind(i) == op_kind::constant || t.kind(i) == op_kind::size; }
    constexpr int operand_count(int i) const { return t.kind(i) == op_kind::random ? 0 : t[i].count; }   // a stream reads no operand

    constexpr void mark_live(std::vector<int> const& roots) {
        for (int r : roots) live[r] = 1;
        for (int i = t.count; i-- > 0;) {
            if (live[i] == 0) continue;
            if (t.kind(i) == op_kind::composite) live[view_operand(i)] = 1;
            else
                for (int k = 0; k < operand_count(i); ++k) live[t.operand(i, k)] = 1;
        }
    }

    // A view that its reader cannot address is copied to memory of its own.
    constexpr void need_contiguous(int i) {
        if (!is_contiguous(i) || is_number(owner(i))) copied[i] = 1;
    }
    constexpr void need_matrix(int i) {
        if (t.dims(i).rank > 2) return need_contiguous(i);
        for (int k = i; is_view(k); k = view_operand(k))
            if (t.kind(k) == op_kind::broadcast) {
                copied[i] = 1;
                return;
            }
        memory_view const m = locate(i);
        bool unit = false;   // rows or columns must be contiguous
        for (int a = 0; a < 2; ++a) unit = unit || is_one(t.dims(i).extents[a]) || m.stride[a] == static_extent(1);
        if (is_number(owner(i)) || !unit) copied[i] = 1;
    }
    constexpr void need_rows(int i) {   // rows of contiguous elements at any distance
        memory_view const m = locate(i);
        extent n = static_extent(1);
        shape const& s = t.dims(i);
        for (int a = s.rank; a-- > 1;) {
            if (!is_one(s.extents[a]) && !(m.stride[a] == n)) copied[i] = 1;
            n = n * s.extents[a];
        }
        if (is_number(owner(i)) || (!is_one(s.extents[0]) && m.stride[0] == static_extent(0))) copied[i] = 1;
    }
    constexpr void choose_copies(plan_roots const& roots) {
        for (int i = 0; i < t.count; ++i) {
            if (live[i] == 0) continue;
            if (is_view(i) && !keeps_elements(i) && is_number(owner(i))) copied[view_operand(i)] = 1;   // a number has no elements to address
            switch (t.kind(i)) {
            case op_kind::alias:
                if (!same_axes(t.dims(i), t.dims(view_operand(i)))) need_contiguous(view_operand(i));
                break;
            case op_kind::matmul:
                need_matrix(t.operand(i, 0));
                need_matrix(t.operand(i, 1));
                break;
            case op_kind::gather:
            case op_kind::bag:
                need_contiguous(t.operand(i, 0));
                need_contiguous(t.operand(i, 1));
                break;
            case op_kind::scatter:
                need_rows(t.operand(i, 0));
                need_contiguous(t.operand(i, 1));
                break;
            default: break;
            }
        }
        for (int r : roots.whole) need_contiguous(r);
        for (int r : roots.by_rows) need_rows(r);
        for (int r : roots.outputs)
            if (is_leaf(owner(r))) copied[r] = 1;   // a leaf asked for as a result
    }
    constexpr bool is_computed(int i) const {
        if (live[i] == 0) return false;
        if (copied[i] != 0) return true;
        return !is_view(i) && !is_leaf(i);
    }

    // A value that is larger than everything it is made of, such as the differences of all pairs: a few operations cost less than its memory.
    constexpr int spread_flops(int i) const {   // a large number: it is none
        if (t.kind(i) != op_kind::elementwise || t[i].op->transcendental || t[i].op->flops > 1 || !is_floating(t.type(i))) return 100;
        extent space[max_rank]{};
        int const rank = space_of(t.dims(i), space);
        int flops = t[i].op->flops;
        for (int k = 0; k < t[i].count; ++k) {
            int const o = owner(t.operand(i, k));
            if (inlined[o] == 3) flops += spread_flops(o);
            else if (is_number(o) || inlined[o] == 2) continue;
            else if (inlined[o] != 0 || space_of(t.dims(o), space) >= rank) return 100;
        }
        return flops;
    }
    // What is cheap and reads only memory is computed again in each loop that needs it, instead of being stored.
    constexpr void choose_inlined() {
        std::vector<unsigned char> elsewhere(t.count, 0);   // read by something other than an element-wise loop
        for (int i = 0; i < t.count; ++i) {
            if (live[i] == 0) continue;
            bool const loop = copied[i] != 0 || t.kind(i) == op_kind::elementwise || t.kind(i) == op_kind::reduce || t.kind(i) == op_kind::concat;
            if (is_view(i)) {
                if (!keeps_elements(i)) elsewhere[view_operand(i)] = 1;
                continue;
            }
            if (!loop)
                for (int k = 0; k < operand_count(i); ++k) elsewhere[t.operand(i, k)] = 1;
        }
        for (int i = t.count; i-- > 0;)
            if (live[i] != 0 && is_view(i) && elsewhere[i] != 0) elsewhere[view_operand(i)] = 1;
        for (int i = 0; i < t.count; ++i) {
            if (!is_computed(i) || copied[i] != 0 || elsewhere[i] != 0 || stored[i] != 0) continue;
            if (t.kind(i) == op_kind::index) inlined[i] = options.fuse;
            if (t.kind(i) != op_kind::elementwise) continue;
            bool numbers = true;
            for (int k = 0; k < t[i].count; ++k) {
                int const o = owner(t.operand(i, k));
                numbers = numbers && (is_number(o) || inlined[o] == 2);
            }
            if (numbers) inlined[i] = 2;   // made of constants and sizes
            else if (options.fuse && spread_flops(i) <= 3) inlined[i] = 3;
            else if (options.fuse && t.type(i) == dtype::boolean && t[i].op->flops <= 1) inlined[i] = 1;
            else if (options.fuse && t[i].op->name == "match") inlined[i] = 1;
        }
        for (int i = 0; i < t.count; ++i) {   // a loop computes in one element type: a comparison of doubles is no part of a loop of floats
            if (live[i] == 0 || is_view(i)) continue;
            for (int k = 0; k < (copied[i] != 0 ? (is_leaf(i) ? 0 : 1) : operand_count(i)); ++k) {
                int const o = owner(copied[i] != 0 ? view_operand(i) : t.operand(i, k));
                if (t.kind(o) != op_kind::elementwise || inlined[o] == 0 || compute_type(o) == compute_type(i)) continue;
                if (inlined[o] != 2 || !is_floating(t.type(o))) inlined[o] = 0;
            }
        }
    }

    // Operands of a concatenation are computed where they belong, if nothing else needs them in one piece.
    constexpr void place_concats(plan_roots const& roots) {
        if (!options.fuse) return;
        std::vector<unsigned char> whole(t.count, 0);
        for (int r : roots.whole) whole[owner(r)] = 1;
        for (int r : roots.by_rows) whole[owner(r)] = 1;
        for (int i = 0; i < t.count; ++i) {
            if (live[i] == 0) continue;
            op_kind const k = t.kind(i);
            bool const strided = k == op_kind::elementwise || k == op_kind::reduce || k == op_kind::concat || (k == op_kind::matmul && t.dims(i).rank == 2);
            if (!strided)
                for (int o = 0; o < operand_count(i); ++o) whole[owner(t.operand(i, o))] = 1;
        }
        for (int i = 0; i < t.count; ++i) {
            if (live[i] == 0 || t.kind(i) != op_kind::concat) continue;
            auto const axis = static_cast<int>(t.attrs(i).integer[0]);
            extent at = static_extent(0);
            for (int k = 0; k < t[i].count; ++k) {
                int const o = t.operand(i, k);
                int times = 0;
                for (int l = 0; l < t[i].count; ++l) times += t.operand(i, l) == o;
                if (times == 1 && is_computed(o) && !is_view(o) && copied[o] == 0 && inlined[o] == 0 && whole[o] == 0 && placed[o] < 0 && t.kind(o) != op_kind::concat &&
                    t.kind(o) != op_kind::scatter && t.kind(o) != op_kind::reduce && (t.kind(o) == op_kind::elementwise || (t.dims(o).rank == 2 && axis == 1))) {
                    placed[o] = i;
                    placed_at[o] = at;
                }
                at = at + t.dims(o).extents[axis];
            }
        }
    }
    constexpr dtype compute_type(int i) const {
        dtype d = t.type(i);
        if (d == dtype::boolean && t.kind(i) == op_kind::elementwise && copied[i] == 0) {
            d = dtype::float32;
            for (int k = 0; k < t[i].count; ++k)
                if (t.type(t.operand(i, k)) != dtype::boolean) d = t.type(t.operand(i, k));
        }
        return d == dtype::boolean || d == dtype::literal ? dtype::float32 : d;
    }
    /// The rows that `i` reads, seen through inlined ones: calls f(row that owns the memory or register, keeps elements).
    template<class F>
    constexpr void for_sources(int i, F&& f, bool direct = true) const {
        int const count = copied[i] == 0 ? operand_count(i) : is_leaf(i) ? 0 : 1;
        for (int k = 0; k < count; ++k) {
            bool keeps = direct;
            int o = copied[i] != 0 ? view_operand(i) : t.operand(i, k);
            for (; is_view(o); o = view_operand(o)) keeps = keeps && keeps_elements(o);
            if (inlined[o] != 0) for_sources(o, f, keeps);
            else f(o, keeps);
        }
    }

    constexpr int space_of(shape const& s, extent* space) const {
        int n = 0;
        for (int a = 0; a < s.rank; ++a)
            if (!is_one(s.extents[a])) space[n++] = s.extents[a];
        return n;
    }
    constexpr shape const& loop_shape(int i) const { return t.kind(i) == op_kind::reduce && copied[i] == 0 ? t.dims(t.operand(i, 0)) : t.dims(i); }
    constexpr bool has_space(step_draft const& s, extent const* space, int rank) const {
        if (rank != s.rank) return false;
        for (int d = 0; d < rank; ++d)
            if (!(space[d] == s.space[d])) return false;
        return true;
    }
    constexpr axis_map natural_map(shape const& s) const {   // k-th axis of extent > 1 along the k-th dimension
        axis_map m{};
        int n = 0;
        for (int a = 0; a < s.rank; ++a) m.to[a] = is_one(s.extents[a]) ? static_cast<signed char>(-1) : static_cast<signed char>(n++);
        return m;
    }
    constexpr axis_map operand_map(axis_map const& m, shape const& result, shape const& operand) const {   // right-aligned
        axis_map r{};
        for (int a = 0; a < operand.rank; ++a) r.to[a] = is_one(operand.extents[a]) ? static_cast<signed char>(-1) : m.to[a + result.rank - operand.rank];
        return r;
    }
    constexpr bool is_natural(int i, axis_map const& m) const {
        axis_map const n = natural_map(t.dims(i));
        for (int a = 0; a < t.dims(i).rank; ++a)
            if (n.to[a] != m.to[a]) return false;
        return true;
    }
    /// Bits of the space dimensions that a reduction sums over.
    constexpr int reduced_dims(int i) const {
        shape const& s = t.dims(t.operand(i, 0));
        int mask = 0, n = 0;
        for (int a = 0; a < s.rank; ++a)
            if (!is_one(s.extents[a])) {
                if ((t.attrs(i).integer[0] >> a & 1) != 0) mask |= 1 << n;
                ++n;
            }
        return mask;
    }
    /// A reduction whose result later members of its step can use: over the last dimension alone.
    constexpr bool gives_row_value(int i) const {
        if (t.kind(i) != op_kind::reduce || copied[i] != 0) return false;
        extent space[max_rank]{};
        int const rank = space_of(t.dims(t.operand(i, 0)), space);
        return rank > 0 && reduced_dims(i) == 1 << (rank - 1) && has_space(steps[step_of[i]], space, rank);
    }
    /// Full rows run for each element of the step's space, row values once for each row.
    constexpr bool is_row_level(step_draft const& s, int i) const {
        extent space[max_rank]{};
        int const rank = space_of(loop_shape(i), space);
        return !has_space(s, space, rank);
    }

    // Every operand that row `i` would take from a register of step `s` must lie along the same dimensions there.
    constexpr bool operands_fit(int s, int i, int row, axis_map const& m) const {
        if (copied[row] != 0 && row == i) return false;
        for (int k = 0; k < operand_count(row); ++k) {
            int o = t.operand(row, k);
            axis_map map = t.kind(row) == op_kind::reduce ? m : operand_map(m, t.dims(row), t.dims(o));
            bool keeps = true;
            for (; is_view(o); o = view_operand(o)) {
                if (keeps && keeps_elements(o)) map = through(o, map);
                else keeps = false;
            }
            if (inlined[o] != 0) {
                if (!keeps || !operands_fit(s, i, o, map)) return false;
            } else if (step_of[o] == s) {
                if (!keeps || !is_natural(o, map)) return false;
                if (t.kind(o) == op_kind::reduce && !gives_row_value(o)) return false;
            }
        }
        return true;
    }

    constexpr bool can_join(int s, int i) const {
        step_draft const& d = steps[s];
        if (!options.fuse || compute_type(i) != d.type) return false;
        if (d.kind != step_kind::nest && d.kind != step_kind::matmul) return false;
        if (copied[i] != 0 || t.kind(i) == op_kind::random) return false;
        extent space[max_rank]{};
        shape const& loop = loop_shape(i);
        int const rank = space_of(loop, space);
        if (d.kind == step_kind::matmul) {
            if (t.kind(i) != op_kind::elementwise || !has_space(d, space, rank) || rank == 0) return false;
            shape const& product = t.dims(d.anchor);
            if (is_one(product.extents[product.rank - 1])) return false;   // a tile of one column would fill one lane of each batch
        } else if (!has_space(d, space, rank)) {   // a value for each row: the space without its last dimension
            if (rank != d.rank - 1) return false;
            for (int k = 0; k < rank; ++k)
                if (!(space[k] == d.space[k])) return false;
            if (t.kind(i) == op_kind::reduce && (rank == 0 || reduced_dims(i) != (1 << rank) - 1)) return false;
            bool row_values = true;   // all its operands in this step are row values
            for_sources(i, [&](int o, bool) { row_values = row_values && (step_of[o] != s || is_row_level(d, o) || gives_row_value(o)); });
            if (!row_values) return false;
        }
        return operands_fit(s, i, i, natural_map(loop));
    }

    constexpr void assign(int i) {
        int after = -1, candidate = -1;
        for_sources(i, [&](int o, bool) {
            if (ready[o] > after) after = ready[o];
            if (step_of[o] > candidate) candidate = step_of[o];
        });
        if (candidate >= 0 && candidate >= after && can_join(candidate, i)) {
            steps[candidate].members.push_back({i, -1});
            step_of[i] = ready[i] = candidate;
            return;
        }
        step_draft d{step_kind::nest, compute_type(i)};
        d.rank = space_of(loop_shape(i), d.space);
        d.members.push_back({i, -1});
        open(i, std::move(d));
    }
    constexpr void open(int i, step_draft&& d) {
        steps.push_back(std::move(d));
        step_of[i] = ready[i] = static_cast<int>(steps.size()) - 1;
    }
    constexpr void assign_anchor(int i) {
        step_draft d{};
        d.type = t.type(i);
        d.anchor = i;
        switch (t.kind(i)) {
        case op_kind::matmul: {
            d.kind = step_kind::matmul;
            shape const& s = t.dims(i);
            d.rank = s.rank == 2 ? space_of(s, d.space) : -1;   // nothing joins a stack of products
            break;
        }
        case op_kind::gather: d.kind = step_kind::gather; break;
        case op_kind::bag: d.kind = step_kind::bag; break;
        default: d.kind = step_kind::scatter;
        }
        open(i, std::move(d));
    }
    constexpr void assign_concat(int i) {
        for (int k = 0; k < t[i].count; ++k) {
            int const o = t.operand(i, k);
            if (placed[o] == i) {
                if (ready[o] > ready[i]) ready[i] = ready[o];
                continue;
            }
            step_draft d{step_kind::nest, t.type(i) == dtype::boolean ? dtype::float32 : t.type(i)};
            d.rank = space_of(t.dims(o), d.space);
            d.members.push_back({i, k});
            steps.push_back(std::move(d));
            ready[i] = static_cast<int>(steps.size()) - 1;
        }
    }

    constexpr void form_steps(plan_roots const& roots) {
        mark_live(roots.whole);
        mark_live(roots.by_rows);
        choose_copies(roots);
        for (int r : roots.whole) stored[owner(r)] = 1;
        for (int r : roots.by_rows) stored[owner(r)] = 1;
        choose_inlined();
        place_concats(roots);
        for (int i = 0; i < t.count; ++i) {
            if (!is_computed(i) || inlined[i] != 0) {
                if (live[i] != 0 && is_view(i)) ready[i] = ready[view_operand(i)];
                continue;
            }
            if (copied[i] != 0) assign(i);
            else
                switch (t.kind(i)) {
                case op_kind::matmul:
                case op_kind::gather:
                case op_kind::bag:
                case op_kind::scatter: assign_anchor(i); break;
                case op_kind::concat: assign_concat(i); break;
                default: assign(i);
                }
        }
        choose_stored();
    }

    // A row needs memory if another step reads it, or a reader that is not an element-wise loop.
    constexpr void choose_stored() {
        for (int i = 0; i < t.count; ++i) {
            if (!is_computed(i) || inlined[i] != 0) continue;
            if (placed[i] >= 0 || t.kind(i) == op_kind::concat || copied[i] != 0) stored[i] = 1;
            if (t.kind(i) == op_kind::gather || t.kind(i) == op_kind::bag || t.kind(i) == op_kind::scatter) stored[i] = 1;
            bool const loop = t.kind(i) == op_kind::elementwise || t.kind(i) == op_kind::reduce;
            for_sources(i, [&](int o, bool keeps) {
                if (is_leaf(o)) return;
                if (!loop || !keeps || step_of[o] != step_of[i]) stored[o] = 1;
            });
            if (t.kind(i) == op_kind::reduce && !gives_row_value(i)) stored[i] = 1;
        }
    }
};

XGRAD_NAMESPACE_END
