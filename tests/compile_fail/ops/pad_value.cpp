// SPDX-License-Identifier: MIT
// expect-error: xgrad::pad<before, after, axis, how>\(x, value\): the value is not a number such as 1_c
// A number of C++.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::pad<1, 1>(x, 7.0);
#else
constexpr auto z = xg::pad<1, 1>(x, 7_c);
#endif
