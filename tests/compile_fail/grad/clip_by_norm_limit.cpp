// SPDX-License-Identifier: MIT
// expect-error: xgrad::clip_by_norm\(x, clip_norm\): clip_norm is not one number above 0
// A number of the program, which the graph does not have.
#include <xgrad/xgrad.hpp>

using namespace xgrad;
using namespace xgrad::literals;

constexpr auto x = input<"x", float, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto clipped = clip_by_norm(x, 5);
#else
constexpr auto clipped = clip_by_norm(x, 5_c);
#endif
