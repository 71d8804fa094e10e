// SPDX-License-Identifier: MIT
// expect-error: xgrad::convolve<mode>\(a, v\), correlate<mode>\(a, v\): an operand has no axis
// One number.
#include <xgrad/ops/signal/convolve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 9>;
constexpr auto v = xg::input<"v", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::convolve(a, v);
#else
constexpr auto z = xg::convolve(a, xg::expand_dims<0>(v));
#endif
