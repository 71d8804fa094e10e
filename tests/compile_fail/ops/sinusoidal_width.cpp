// SPDX-License-Identifier: MIT
// expect-error: xgrad::sinusoidal_positions<length, width>\(\): length is no extent, or width is below 1
// A width of 0.
#include <xgrad/ops/attention/positions.hpp>

namespace xg = xgrad;

constexpr auto two = xg::sinusoidal_positions<4, 2>();

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::sinusoidal_positions<4, 0>();
#else
constexpr auto y = two;
#endif
