// SPDX-License-Identifier: MIT
// expect-error: xgrad: bfloat16 and float16 are types of the memory of slots, in which nothing is computed
// An input of bfloat16.
#include <xgrad/core/leaves.hpp>

#ifdef XGRAD_EXPECT_ERROR
constexpr auto x = xgrad::input<"x", xgrad::bfloat16, 3>;
#else
constexpr auto x = xgrad::input<"x", float, 3>;
#endif
constexpr int rank = x.rank;
