// SPDX-License-Identifier: MIT
// expect-error: xgrad::convolve<mode>\(a, v\), correlate<mode>\(a, v\): the operands have different element types
// Two element types.
#include <xgrad/ops/signal/convolve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 9>;
constexpr auto v = xg::input<"v", double, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::correlate(a, v);
#else
constexpr auto z = xg::correlate(xg::cast<double>(a), v);
#endif
