// SPDX-License-Identifier: MIT
// layers, map_rows and fold: the common forms of loops over a body that returns expressions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/call.hpp>
#include <xgrad/ops/scan.hpp>

XGRAD_NAMESPACE_BEGIN
