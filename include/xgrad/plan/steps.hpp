// SPDX-License-Identifier: MIT
// The kinds of steps that particular nodes open. All other nodes run in loops over elements (nests).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/steps/kernel.hpp>
#include <xgrad/plan/steps/matmul.hpp>
#include <xgrad/plan/steps/region.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

inline constexpr step_record const* step_records[]{&matmul_record, &kernel_record, &region_record};

struct records_by_kind {
    step_record const* of_node[static_cast<int>(op_kind::gradient) + 1];
    step_record const* of_step[step_kind_count];
};
inline constexpr records_by_kind known_records = [] {
    records_by_kind r{};
    for (step_record const* s : step_records) r.of_node[static_cast<int>(s->node)] = r.of_step[static_cast<int>(s->kind)] = s;
    return r;
}();
/// The record of the kind of step that nodes of this kind open, or null.
constexpr step_record const* record_of(op_kind node) { return known_records.of_node[static_cast<int>(node)]; }
constexpr step_record const* record_of(step_kind kind) { return known_records.of_step[static_cast<int>(kind)]; }

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
