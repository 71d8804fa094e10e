// SPDX-License-Identifier: MIT
// expect-error: is deprecated: xgrad: write twice
#include <xgrad/config/config.hpp>

constexpr int twice(int n) { return n + n; }
XGRAD_DEPRECATED("write twice") constexpr int doubled(int n) { return twice(n); }

#ifdef XGRAD_EXPECT_ERROR
static_assert(doubled(2) == 4);
#else
static_assert(twice(2) == 4);
#endif
