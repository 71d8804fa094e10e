// SPDX-License-Identifier: MIT
#pragma once

#include <xgrad/config/config.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A gradient in memory, of a variable that a rule moves: dense, or slices.
struct gradient_ref {
    void const* values;
    void const* indices;   // null where it is dense
    std::int64_t rows;
};

}   // namespace detail
XGRAD_NAMESPACE_END
