// SPDX-License-Identifier: MIT
// The extents of a plan's variables, with the sizes that a store gives to their named dimensions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/runtime_plan.hpp>
#include <xgrad/run/status.hpp>
#include <xgrad/store/variable_store.hpp>

XGRAD_NAMESPACE_BEGIN

/// Extents that depend on a dimension that the store does not have are negative.
struct stored_extents {
    std::int64_t at[max_rank]{};
    stored_extents(leaf_info const& v, runtime_plan const& plan, variable_store const& store) {
        for (int d = 0; d < v.rank; ++d) at[d] = extent_at(plan.polynomials[v.extents[d]], store.sizes(), -1);
    }
};
/// A variable of the plan in the store. Throws binding_error if it is missing, shape_error if its extents or element type differ.
XGRAD_COLD inline stored_variable const& stored_as(leaf_info const& v, runtime_plan const& plan, variable_store const& store) {
    return store.at(v.name, v.type, v.rank, stored_extents(v, plan, store).at);
}
/// Whether all variables still have the extents of the plan after the store has grown. Otherwise the status names one that does not.
XGRAD_COLD inline status check_growth(runtime_plan const& plan, variable_store const& store) {
    for (int i = 0; i < plan.variable_count; ++i) {
        stored_variable const& v = *store.find(plan.variables[i].hash);
        stored_extents const expected(plan.variables[i], plan, store);
        for (int d = 0; d < v.rank; ++d)
            if (expected.at[d] != v.extents[d]) return {status_code::outgrown, v.name};
    }
    return {};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
