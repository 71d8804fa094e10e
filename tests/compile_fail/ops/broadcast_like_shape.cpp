// SPDX-License-Identifier: MIT
// expect-error: xgrad::broadcast_like\(x, other\): x does not broadcast to the shape of the other
// The larger one first.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto f = xg::input<"f", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::broadcast_like(x, f);
#else
constexpr auto z = xg::broadcast_like(f, x);
#endif
