// SPDX-License-Identifier: MIT
// expect-error: xgrad: a number of parts, places or copies is an argument
// The form of NumPy.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::repeat(x, 2);
#else
constexpr auto z = xg::repeat<2>(x);
#endif
