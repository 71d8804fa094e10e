// SPDX-License-Identifier: MIT
// XGRAD_NO_DEPRECATED: names that a later version removes, without a warning. tests/compile_fail/core/deprecated.cpp has them with it.
#define XGRAD_NO_DEPRECATED 1
#include <xgrad/config/config.hpp>

XGRAD_DEPRECATED("write twice") constexpr int doubled(int n) { return n + n; }
static_assert(doubled(2) == 4);
