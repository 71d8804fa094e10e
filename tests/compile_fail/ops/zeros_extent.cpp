// SPDX-License-Identifier: MIT
// expect-error: xgrad::full, zeros, ones: an extent is not an integer of at least 0
// A negative extent.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::zeros<3, -1>();
#else
constexpr auto z = xg::zeros<3, 1>();
#endif
