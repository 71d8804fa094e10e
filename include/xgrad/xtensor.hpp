// SPDX-License-Identifier: MIT
// to_xtensor and adapt: results and variables as xtensor arrays. Apart from xgrad.hpp, because xtensor's headers take longer to compile than
// xgrad's; xtensor containers, views and adaptors can be bound to inputs without this header.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/xtensor.hpp>
#include <xgrad/config/macros_end.hpp>
