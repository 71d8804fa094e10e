// SPDX-License-Identifier: MIT
// expect-error: xgrad::full<d...>\(value\): the value does not broadcast to that shape
// Four numbers in rows of three.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::full<2, 3>(x);
#else
constexpr auto z = xg::full<2, 3, 4>(x);
#endif
