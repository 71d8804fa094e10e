// SPDX-License-Identifier: MIT
// Checks updates: each requested update runs once, after the last read of the old value and after everything
// that may find an index out of range.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/stages.hpp>
#include <xgrad/plan/verify/memory.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Sixth layer of the verifier: the updates.
class plan_updates : protected plan_memory {
    using where = step_operand::where;
    node_stages const stages_;

    /// When step i runs. Steps that run together have the time of the first one.
    constexpr int time_of(int i) const {
        plan_step const& s = p.steps[i];
        return s.in_pass() && s.joined_to <= i ? i - s.joined_to : i;
    }
    /// The time of an update. An update in the tiles of a product runs with the product.
    constexpr int run_of(int i) const { return time_of(p.steps[i].fused && p.steps[i].joined_to <= i ? i - p.steps[i].joined_to : i); }
    constexpr bool widens(int i) const {   // a cast that keeps integers, or makes those too large negative
        if (!t[i].op->converts) return false;
        dtype const from = t.type(t.operand(i, 0));
        if (from == dtype::uint32 || from == dtype::uint64) return t.type(i) == dtype::int64;
        return is_integer(from) && size_of(from) < 4 && t.type(i) == dtype::int32;
    }
    constexpr int values_of(int ids) const {   // the node whose elements these are
        while (t.kind(ids) == op_kind::alias || t.kind(ids) == op_kind::transpose || t.kind(ids) == op_kind::broadcast || widens(ids))
            ids = t.operand(ids, 0);
        return ids;
    }
    /// Whether a call checks these indices when it binds its arrays.
    constexpr bool is_bound(int ids, extent const& rows) const {
        return t.kind(values_of(ids)) == op_kind::input && is_known_size(t, rows);
    }
    constexpr bool is_lookup(plan_step const& s) const { return traits_of(s).has_own_kernel && reports_indices(*t[s.node].op); }

    /// Whether a step that may end a call looks at indices: it may also look at numbers.
    constexpr bool names_indices(plan_step const& s) const { return t[s.node].op->indices.operand >= 0; }

    // Products must use all of the extents in the table.
    constexpr bool check_extents(int i) {
        plan_step const& s = p.steps[i];
        auto const wrong = [&](char const* what) { return fail(plan_rule::disagrees, what, i); };
        if (traits_of(s).multiplies) {
            if (t.kind(s.node) != op_kind::matmul) return wrong("is not a product in the table");
            shape const& a = t.dims(t.operand(s.node, 0));
            extent const& k = a.extents[t.attrs(s.node).as<product_attributes>().transpose_a ? a.rank - 2 : a.rank - 1];
            if (id(s.extent[2]) != id_of(k) || multiply(id(s.extent[0]), id(s.extent[1])) != size_of_shape(t.dims(s.node)))
                return wrong("multiplies other extents than the table's");
        }
        return true;
    }

    constexpr bool stores(plan_step const& s) const {
        for (int k = 0; k < s.ins_count; ++k)
            if (p.ins[s.first_ins + k].kind == ins_kind::store) return true;
        return false;
    }
    constexpr int find_update(plan_request const& r, int variable) const {
        for (int u = 0; u < r.update_count; ++u)
            if (r.updates[u].variable == variable) return u;
        return -1;
    }
    /// Whether an operand is the value that an update replaces (`node`), or the value that it leaves.
    constexpr bool reads_old(step_operand const& o, int node) const { return o.base == where::variable && o.node == node; }
    constexpr bool reads_new(step_operand const& o, int node) const {
        return o.base == where::variable && t.kind(o.node) == op_kind::updated && t.operand(o.node, 0) == node;
    }
    /// Whether update i may run after each iteration of a loop, by the row of the gradient that this iteration has stacked. The iterations
    /// read no other rows of the variable.
    constexpr bool takes_rows(int i) {
        plan_step const& s = p.steps[i];
        if (s.sparse || s.joined_to < 0 || s.joined_to > i) return false;
        plan_step const& loop = p.steps[i - s.joined_to];
        if (!traits_of(loop).runs_bodies || loop.update_at < s.joined_to) return false;
        region_info const& region = *t[loop.node].op->region;
        region_form const form = form_of(region, t.attrs(loop.node));
        if (form.policy != region_policy::loop || form.control > 0 || region.may_fail) return false;
        step_operand const& gradient = operand_of(s, 0);
        bool found = false;
        for (int k = 0; k < loop.operand_count; ++k) {
            step_operand const& o = operand_of(loop, k);
            bool const own = id(o.offset) == zero_extent && id(o.inner) == id(s.extent[0]) && id(o.stride[0]) == id(o.inner);
            if (o.base == where::variable && o.index == s.variable && (k >= loop.read_count || !form.is_slice(k) || !own)) return false;
            int const output = k - loop.read_count;
            bool const stacked = output >= form.carries && output < form.carries + form.emitted();
            found = found || (stacked && own && o.base == where::buffer && gradient.base == where::buffer && o.index == gradient.index &&
                                 id(gradient.offset) == zero_extent);
        }
        return found;
    }
    constexpr bool check_update(int i, plan_request const& r) {
        plan_step const& s = p.steps[i];
        int const u = find_update(r, s.node);
        if (u < 0) return fail(plan_rule::lost_update, "updates a variable that was not requested", i);
        plan_update const& asked = r.updates[u];
        if (s.variable < 0 || s.variable >= p.variable_count || p.variables[s.variable] != value_of_variable(t, s.node).variable ||
            s.group != asked.group || s.sparse != (asked.dense < 0) || s.memory != t.type(s.node) ||
            s.type != t.type(asked.dense >= 0 ? asked.dense : asked.values) || (s.type != s.memory && s.type != computed_type(s.memory)))
            return fail(plan_rule::lost_update, "updates in another way than was requested", i);
        shape const& v = t.dims(s.node);
        extent_id const size = size_of_shape(v);
        if (s.sparse ? id(s.extent[2]) != id_of(v.extents[0]) || multiply(id(s.extent[2]), id(s.inner)) != size ||
                           id(s.extent[0]) != multiply(id(s.extent[1]), id(s.extent[3])) ||
                           id(s.extent[0]) != size_of_shape(t.dims(asked.indices))
                     : !s.fused && id(s.inner) != size)
            return fail(plan_rule::disagrees, "updates other extents than the variable's", i);
        if (asked.whole && !s.sparse && id(s.extent[2]) != (v.rank > 0 ? id_of(v.extents[0]) : one_extent))
            return fail(plan_rule::disagrees, "updates another number of rows than the variable's", i);
        extent_id columns = one_extent;
        for (int a = 1; a < v.rank; ++a) columns = multiply(columns, id_of(v.extents[a]));
        if (id(s.extent[4]) != multiply(columns, id_of(static_extent(asked.column_sums * static_cast<int>(sizeof(double))))))
            return fail(plan_rule::disagrees, "has scratch memory for other sums than its rule's", i);
        if (asked.whole && s.in_parts) return fail(plan_rule::malformed, "runs in parts, though its rule needs all of the gradient", i);
        if (s.fused) {
            bool const has_product = s.joined_to > 0 && s.joined_to <= i;
            plan_step const& product = p.steps[has_product ? i - s.joined_to : 0];
            if (!has_product || product.update_at != s.joined_to || s.sparse || !traits_of(product).multiplies || stores(product) ||
                product.type != s.type || multiply(id(product.extent[0]), id(product.extent[1])) != size)
                return fail(plan_rule::lost_update, "takes the tiles of a product that does not pass them on", i);
            if (asked.whole) return fail(plan_rule::lost_update, "takes the tiles of a product, though its rule needs all of it", i);
            if (r.gate != gating::none) return fail(plan_rule::early_update, "runs in a product against the gating", i);
        } else if (s.joined_to != 0 && (asked.whole || r.gate != gating::none || !takes_rows(i)))
            return fail(plan_rule::lost_update, "takes the rows of a loop that does not pass them on", i);
        for (int k = 0; k < p.step_count; ++k)
            if (k != i && traits_of(p.steps[k]).updates && p.steps[k].node == s.node)
                return fail(plan_rule::lost_update, "updates a variable for the second time", i, -1, -1, -1, k);
        int const run = run_of(i);
        for (int k = 0; k < p.step_count && t.kind(s.node) == op_kind::updated; ++k)
            if (traits_of(p.steps[k]).updates && p.steps[k].node == t.operand(s.node, 0) && run_of(k) >= run)
                return fail(plan_rule::early_update, "updates a variable before the update whose value it replaces", i, -1, -1, -1, k);
        for (int k = 0; k < p.step_count; ++k) {
            plan_step const& other = p.steps[k];
            for (int n = 0; n < other.operand_count; ++n)
                if (reads_new(operand_of(other, n), s.node) && time_of(k) <= run)
                    return fail(plan_rule::early_update, "reads a new value before the update that makes it", k, n, -1, -1, i);
            if (r.gate == gating::graph && k > i && !traits_of(other).updates && stages_.at(other.node) <= stages_.at(asked))
                return fail(plan_rule::early_update, "runs before a step that is not an update, against the gating", i, -1, -1, -1, k);
            bool const together = time_of(k) == run && other.in_pass();   // the update comes after all of their rows
            if (k == i || time_of(k) < run || together) continue;
            for (int n = 0; n < other.operand_count; ++n)
                if (reads_old(operand_of(other, n), s.node))
                    return fail(plan_rule::early_update, "updates a variable whose old value is still read", i, -1, -1, -1, k);
        }
        if (s.sparse && s.operand_count > 0 && reads_old(operand_of(s, 0), s.node))
            return fail(plan_rule::early_update, "updates a variable by rows of itself", i);
        return check_failures(i, run) && (!s.sparse || check_indices(i, asked, r));
    }
    // A step that finds an index out of range ends the call, and such a call must not have changed anything.
    constexpr bool check_failures(int i, int run) {
        for (int k = 0; k < p.step_count; ++k) {
            plan_step const& s = p.steps[k];
            if (time_of(k) < run) continue;
            bool const looks =
                is_lookup(s) && !(names_indices(s) && (is_bound(indices_of(t, s.node), index_limit(t, s.node)) || is_known(k)));
            if (looks || traits_of(s).checks_indices || (traits_of(s).runs_bodies && t[s.node].op->region->may_fail))
                return fail(plan_rule::unchecked_index, "changes a variable before all indices are checked", i, -1, -1, -1, k);
        }
        return true;
    }
    // Whether an earlier step has checked the same indices against the same number of rows.
    constexpr bool is_known(int step) {
        plan_step const& s = p.steps[step];
        int const ids = indices_of(t, s.node);
        extent const& limit = index_limit(t, s.node);
        step_operand const& o = operand_of(s, t[s.node].op->indices.operand);
        extent_id const count = size_of_shape(t.dims(ids));
        for (int k = 0; k < step; ++k)
            if (has_looked(k, ids, limit) || has_checked(k, o, count, id_of(limit))) return true;
        return false;
    }
    // Whether step k has checked the `count` indices in `o` against `limit`.
    constexpr bool has_checked(int k, step_operand const& o, extent_id count, extent_id limit) const {
        plan_step const& c = p.steps[k];
        if (!traits_of(c).checks_indices) return false;
        step_operand const& a = operand_of(c, 0);
        return a.base == o.base && a.index == o.index && id(a.offset) == id(o.offset) && id(c.extent[0]) == count &&
               id(c.extent[2]) == limit && c.index_type == o.type;
    }
    constexpr bool has_looked(int k, int ids, extent const& rows) const {
        plan_step const& s = p.steps[k];
        return is_lookup(s) && names_indices(s) && values_of(indices_of(t, s.node)) == values_of(ids) && index_limit(t, s.node) == rows;
    }
    constexpr bool check_indices(int i, plan_update const& asked, plan_request const& r) {
        plan_step const& s = p.steps[i];
        extent const& rows = t.dims(asked.variable).extents[0];
        if (operand_of(s, 1).type != s.index_type || s.index_type != t.type(asked.indices))
            return fail(plan_rule::disagrees, "reads indices of another type", i, 1);
        if (is_bound(asked.indices, rows)) return true;
        for (int k = 0; k < i; ++k)
            if (has_looked(k, asked.indices, rows)) return true;
        for (int j = 0; j < p.step_count; ++j) {   // or those of another update, which may be a copy of the same indices
            plan_step const& other = p.steps[j];
            int const u = traits_of(other).updates && other.sparse ? find_update(r, other.node) : -1;
            if (u < 0 || values_of(r.updates[u].indices) != values_of(asked.indices) || id(other.extent[2]) != id(s.extent[2])) continue;
            for (int k = 0; k < i; ++k)
                if (has_checked(k, operand_of(other, 1), id(other.extent[0]), id(other.extent[2]))) return true;
        }
        return fail(plan_rule::unchecked_index, "updates rows by indices that were not checked", i, 1);
    }

protected:
    constexpr plan_updates(table_view const& table, plan_view const& plan, plan_request const& asked)
        : plan_memory(table, plan), stages_(stages_of(table, asked)) {}

    constexpr bool check_updates(plan_request const& r) {
        if (stages_.wrong != new_value_fault::none) return fail(plan_rule::disagrees, "has new values that cannot be made in time");
        for (int i = 0; i < p.step_count; ++i) {
            plan_step const& s = p.steps[i];
            if (!check_extents(i)) return false;
            if (traits_of(s).updates && !check_update(i, r)) return false;
            bool const handed_on = s.update_at > 0 && i + s.update_at < p.step_count && p.steps[i + s.update_at].fused;
            if (traits_of(s).multiplies && !stores(s) && !handed_on)
                return fail(plan_rule::lost_update, "keeps no result of its product", i);
        }
        for (int u = 0; u < r.update_count; ++u) {
            bool done = false;
            for (int i = 0; i < p.step_count; ++i)
                done = done || (traits_of(p.steps[i]).updates && p.steps[i].node == r.updates[u].variable);
            if (!done) return fail(plan_rule::lost_update, "no step applies a gradient", -1, -1, -1, -1, u);
        }
        return true;
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
