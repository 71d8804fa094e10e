// SPDX-License-Identifier: MIT
// to_xtensor and adapt: results and variables as xtensor arrays. Separate from xgrad.hpp, because the headers of
// xtensor take longer to compile than those of xgrad. Containers, views and adaptors of xtensor can be bound to inputs
// without this header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/xtensor.hpp>
#include <xgrad/config/macros_end.hpp>
