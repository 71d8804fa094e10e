// SPDX-License-Identifier: MIT
// expect-error: xgrad: bfloat16 and float16 are types of the memory of slots, in which nothing is computed
// A variable of float16.
#include <xgrad/core/leaves.hpp>

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xgrad::variable<"w", xgrad::float16, 3>;
#else
constexpr auto w = xgrad::variable<"w", float, 3>;
#endif
constexpr int rank = w.rank;
