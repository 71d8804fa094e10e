// SPDX-License-Identifier: MIT
// expect-error: xgrad::permutation<"name", n>\(\): n is not an integer
// A negative length.
#include <xgrad/ops/distributions.hpp>

namespace xg = xgrad;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::permutation<"p", -3>();
#else
constexpr auto z = xg::permutation<"p", 3>();
#endif
