// SPDX-License-Identifier: MIT
// What a step of a program has found that ends the call, if it has a name.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// A loop whose number of iterations is out of range, or a checked expression with a number that is not finite.
struct call_fault {
    std::string_view name;      // of the loop's body or of the check; empty: none
    std::int64_t found, most;   // iterations and their limit; of a number, its position, and 1 in a gradient
    bool is_number = false;
    double number = 0;
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
