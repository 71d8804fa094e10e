// SPDX-License-Identifier: MIT
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/gradient_ref.hpp>
#include <xgrad/run/kept_gradients.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The gradient for the update that is step `step` of the plan.
inline gradient_ref gradient_of(runtime_plan const& plan, kept_gradients<runner> const& kept, int step) {
    bool const sparse = plan.steps[step].sparse;
    return {kept.data(step, 0), sparse ? kept.data(step, 1) : nullptr, sparse ? kept.arguments()[step].extent[0] : 0};
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
