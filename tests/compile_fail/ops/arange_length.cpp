// SPDX-License-Identifier: MIT
// expect-error: xgrad::arange<length>\(\): length is not an integer of at least 0
// A negative length.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::arange<-1>();
#else
constexpr auto z = xg::arange<1>();
#endif
