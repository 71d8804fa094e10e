// SPDX-License-Identifier: MIT
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/kept_gradients.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A gradient in memory, dense or in slices, of a variable that a rule moves.
struct gradient_ref {
    void const* values;
    void const* indices;   // null if dense
    std::int64_t rows;
};
/// The gradient for the update that is step `step` of the plan.
inline gradient_ref gradient_of(runtime_plan const& plan, kept_gradients<runner> const& kept, int step) {
    bool const sparse = plan.steps[step].sparse;
    return {kept.data(step, 0), sparse ? kept.data(step, 1) : nullptr, sparse ? kept.arguments()[step].extent[0] : 0};
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
