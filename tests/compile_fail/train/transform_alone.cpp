// SPDX-License-Identifier: MIT
// expect-error: xgrad: this is a link, which changes gradients or values but moves no variable
// A transform in place of a rule.
#include <xgrad/xgrad.hpp>
using namespace xgrad::literals;

inline constexpr auto w = xgrad::variable<"w", float, 2>;
#ifdef XGRAD_EXPECT_ERROR
auto train = xgrad::minimize(xgrad::sum(w * w), xgrad::clip_by_value(-1, 1));
#else
auto train = xgrad::minimize(xgrad::sum(w * w), chain(xgrad::clip_by_value(-1, 1), xgrad::adam{}));
#endif
