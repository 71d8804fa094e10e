// SPDX-License-Identifier: MIT
// expect-error: xgrad::tri<n, m, diagonal>\(\): n or m is not an integer of at least 0, or a named dimension
// An extent below 0.
#include <xgrad/ops/shapes/sequences.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tri<4, -1>();
#else
constexpr auto z = xg::tri<4, 1>();
#endif
