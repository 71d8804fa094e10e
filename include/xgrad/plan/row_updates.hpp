// SPDX-License-Identifier: MIT
// Updates by rows: after each iteration of a loop, the update takes the row of the gradient that the iteration has stacked. Row and
// gradient are in the cache then. The weights of layers are such rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/region.hpp>
#include <xgrad/plan/assembly.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

// Shorter rows take less time than starting an update. Bodies in registers have shorter ones.
inline constexpr std::int64_t least_updated_row = 64;

/// Whether each iteration reads no other rows of the variable than its own, whose size is `row`.
template<class Plan>
constexpr bool reads_own_rows(Plan const& out, plan_step const& loop, region_form const& form, short variable, extent_id row) {
    for (int k = 0; k < loop.operand_count; ++k) {
        step_operand const& o = out.operands[loop.first_operand + k];
        if (o.base != step_operand::where::variable || o.index != variable) continue;
        if (!form.is_slice(k) || o.offset != zero_extent || o.inner != row || o.stride[0] != row) return false;
    }
    return true;
}
/// The size of the rows by which update `u` can run in the loop before it, or -1.
template<class Plan>
constexpr int row_of_update(assembling const& plan, Plan const& out, plan_step const& loop, region_form const& form, plan_step const& u) {
    if (!facts_of(u.kind).updates_variable || u.fused || u.sparse || !u.in_parts) return -1;
    step_operand const& g = out.operands[u.first_operand];
    if (g.base != step_operand::where::buffer || g.offset != zero_extent) return -1;
    for (int k = form.carries; k < form.carries + form.emitted(); ++k) {
        step_operand const& o = out.operands[loop.first_operand + loop.read_count + k];
        if (o.base != g.base || o.node != g.node || o.offset != zero_extent) continue;
        extent const& row = plan.pool.values.at[plan.used.at[o.inner]];
        bool const is_short = row.is_static() && row.constant < least_updated_row;
        return is_short || !reads_own_rows(out, loop, form, u.variable, o.inner) ? -1 : o.inner;
    }
    return -1;
}
/// Joins the updates directly after each loop to it, if they can run by rows.
template<class Plan>
constexpr void join_row_updates(assembling& plan, Plan& out) {
    if (plan.asked.gate != gating::none) return;
    for (int s = 0; s < out.step_count; ++s) {
        if (!facts_of(out.steps[s].kind).runs_bodies) continue;
        region_info const& region = *out.steps[s].op->region;
        region_form const form = form_of(region, plan.t.attrs(out.steps[s].node));
        if (form.policy != region_policy::loop || form.control > 0 || region.may_fail) continue;
        short count = 0;
        for (int i = s + 1; i < out.step_count && facts_of(out.steps[i].kind).updates_variable; ++i) {
            int const row = row_of_update(plan, out, out.steps[s], form, out.steps[i]);
            if (row < 0) continue;
            plan_step u = out.steps[i];
            u.extent[0] = static_cast<short>(row);
            u.in_parts = false;
            u.joined_to = static_cast<short>(++count);
            for (int k = i; k > s + count; --k) out.steps[k] = out.steps[k - 1];
            out.steps[s + count] = u;
        }
        out.steps[s].update_at = count;
    }
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
