// SPDX-License-Identifier: MIT
// expect-error: xgrad::full_like\(x, value\): the value does not broadcast to the shape of x
// The value first.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto f = xg::input<"f", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::full_like(f, x);
#else
constexpr auto z = xg::full_like(x, f);
#endif
