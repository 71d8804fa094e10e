// SPDX-License-Identifier: MIT
// expect-error: xgrad::convolve<mode>\(a, v\), correlate<mode>\(a, v\): an operand has no elements
// No elements.
#include <xgrad/ops/signal/convolve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 9>;
constexpr auto v = xg::input<"v", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::convolve(a, xg::slice<0, 1, 1>(v));
#else
constexpr auto z = xg::convolve(a, xg::slice<0, 1, 2>(v));
#endif
