// SPDX-License-Identifier: MIT
// Which steps meet indices that nothing has looked at: no update may run before them, so that a call that fails has changed nothing.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/forming.hpp>
#include <xgrad/plan/steps.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Indices of an input into a table of known size are compared when it is bound; others by the first lookup that reads them. Slices made by hand
/// may have indices that no lookup reads: a step of their own does.
class index_checks {
    struct lookup {
        int ids;
        extent rows;
    };
    table_view t;
    sequence<lookup> known;

    constexpr bool look(int ids, extent const& rows) {   // true the first time
        while (t.kind(ids) == op_kind::alias || t.kind(ids) == op_kind::transpose || t.kind(ids) == op_kind::broadcast)
            ids = t.operand(ids, 0);
        if (t.kind(ids) == op_kind::input && is_known_size(t, rows)) return false;
        for (lookup const& k : known)
            if (k.ids == ids && k.rows == rows) return false;
        known.push({ids, rows});
        return true;
    }

public:
    int last = -1;         // the last step that looks at indices
    sequence<bool> open;   // updates with indices that no lookup reads

    /// Marks the lookups behind updates whose indices nothing has looked at before.
    constexpr explicit index_checks(forming& plan) : t(plan.t), open(plan.asked.update_count) {
        for (int s = 0; s < plan.step_list.count; ++s) {
            int const node = plan.steps[s].anchor;
            step_record const* const r = record_of(plan.steps[s].kind);
            if (r == nullptr || r->finds_bad_index == nullptr || !r->finds_bad_index(t, node)) continue;
            bool const names_indices = t[node].op->indices.operand >= 0;
            if (names_indices && !look(indices_of(t, node), index_limit(t, node))) continue;
            if (names_indices && s > plan.stage_end.at[0]) plan.nodes[node].checked_before = true;
            else last = s;
        }
        for (int k = 0; k < plan.asked.update_count; ++k) {
            plan_update const& u = plan.asked.updates[k];
            open.push(u.dense < 0 && look(u.indices, t.dims(u.variable).extents[0]));
        }
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
