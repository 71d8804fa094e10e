// SPDX-License-Identifier: MIT
// The kinds of steps that nodes open; loops over elements (nest) take all other nodes.
#pragma once

#include <xgrad/plan/steps/kernel.hpp>
#include <xgrad/plan/steps/matmul.hpp>
#include <xgrad/plan/steps/scan.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

inline constexpr step_record const* step_records[]{&matmul_record, &kernel_record, &scan_record};

/// The record of the kind of step that nodes of this kind open, or null.
constexpr step_record const* record_of(op_kind node) {
    for (step_record const* r : step_records)
        if (r->node == node) return r;
    return nullptr;
}
constexpr step_record const* record_of(step_kind kind) {
    for (step_record const* r : step_records)
        if (r->kind == kind) return r;
    return nullptr;
}

}   // namespace planner
XGRAD_NAMESPACE_END
