// SPDX-License-Identifier: MIT
// A gradient in memory, as step_driver gives it to drivers of trainers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// A gradient in memory, dense or in slices, of a variable that a rule moves. Its values have the element type of the variable, and float
/// for a 16-bit variable.
struct gradient_ref {
    void const* values;
    void const* indices;   // null if dense
    std::int64_t rows;     // number of indices
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
