// SPDX-License-Identifier: MIT
// expect-error: xgrad::arange<start, stop, step>\(\): start or step is not an integer, step is 0, or stop is neither an integer nor a named
// A step of 0.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::arange<2, 10, 0>();
#else
constexpr auto z = xg::arange<2, 10, 2>();
#endif
