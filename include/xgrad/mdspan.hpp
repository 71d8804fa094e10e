// SPDX-License-Identifier: MIT
// as_mdspan: results and variables as std::mdspan or, where the standard library has none, as Kokkos::mdspan. Both are bound to inputs without this header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/mdspan.hpp>
#include <xgrad/config/macros_end.hpp>
