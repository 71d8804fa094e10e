// SPDX-License-Identifier: MIT
// expect-error: xgrad::linspace<n>\(start, end\): n is not an integer of at least 0
// A negative number of elements.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;
using namespace xg::literals;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::linspace<-1>(0_c, 1_c);
#else
constexpr auto z = xg::linspace<1>(0_c, 1_c);
#endif
