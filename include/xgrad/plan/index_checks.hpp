// SPDX-License-Identifier: MIT
// Finds the steps that check indices which nothing has checked before. No update may run before them:
// a call that fails must not have changed anything.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/forming.hpp>
#include <xgrad/plan/steps.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Who checks indices:
/// - indices of an input into a table of known size: the call, when the input is bound;
/// - other indices: the first lookup that reads them;
/// - indices of manually made slices that no lookup reads: a separate check step.
class index_checks {
    struct lookup {
        int ids;
        extent rows;
    };
    table_view t;
    sequence<lookup> known;

    constexpr bool look(int ids, extent const& rows) {   // true the first time
        ids = source_of_indices(t, ids);
        if (t.kind(ids) == op_kind::input && is_known_size(t, rows)) return false;
        for (lookup const& k : known)
            if (k.ids == ids && k.rows == rows) return false;
        known.push({ids, rows});
        return true;
    }

public:
    int last = -1;         // the last step that checks indices
    sequence<bool> open;   // of each update: whether no lookup reads its indices

    /// Marks the lookups that run after updates and would be the first to check their indices.
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
