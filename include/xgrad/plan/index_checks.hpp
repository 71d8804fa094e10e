// SPDX-License-Identifier: MIT
// Which steps meet indices that nothing has looked at: no update may run before them, so that a call that fails has changed nothing.
#pragma once

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

    constexpr index_checks(table_view const& table, step_draft const* steps, int step_count, plan_update const* updates, int update_count)
        : t(table), open(update_count) {
        for (int s = 0; s < step_count; ++s) {
            int const row = steps[s].anchor;
            step_record const* const r = record_of(steps[s].kind);
            if (r == nullptr || r->finds_bad_index == nullptr || !r->finds_bad_index(t, row)) continue;
            bool const names_indices = t[row].op->indices.operand >= 0;
            if (!names_indices || look(indices_of(t, row), index_limit(t, row))) last = s;
        }
        for (int k = 0; k < update_count; ++k)
            open.push(updates[k].dense < 0 && look(updates[k].indices, t.dims(updates[k].variable).extents[0]));
    }
};

}   // namespace planner
XGRAD_NAMESPACE_END
