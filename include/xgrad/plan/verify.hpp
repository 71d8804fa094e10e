// SPDX-License-Identifier: MIT
// Verifies a plan: everything that is read has been written, addresses stay in their blocks, and no two values share bytes.
// Updates come after the last read of the old value, and after everything that may find an index out of range.
// The verifier looks at the finished plan and uses nothing of the planner.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/verify/updates.hpp>

XGRAD_NAMESPACE_BEGIN
namespace planner {

/// Runs all checks.
class plan_verifier : plan_updates {
public:
    constexpr plan_verifier(table_view const& table, plan_view const& plan, plan_request const& asked) : plan_updates(table, plan, asked) {}
    constexpr plan_finding run(plan_request const& r) {
        if (check_numbers() && may_be_called() && check_updates(r)) check_memory(r);
        return found;
    }
};

/// The first rule that the plan breaks, or none. The bodies of loops have separate plans.
constexpr plan_finding verify_plan(table_view const& table, plan_view const& plan, plan_request const& asked) {
    return plan_verifier(table, plan, asked).run(asked);
}

}   // namespace planner
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
