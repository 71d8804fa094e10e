// SPDX-License-Identifier: MIT
// as_mdspan: results and variables as std::mdspan, or as Kokkos::mdspan if the standard library does not have it. Both
// can be bound to inputs without this header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/mdspan.hpp>
#include <xgrad/config/macros_end.hpp>
