// SPDX-License-Identifier: MIT
// expect-error: xgrad::polyfit<degree>\(x, y, w\): the operands are neither all float nor all double
// Two element types.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 9>;
constexpr auto y = xg::input<"y", double, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::polyfit<2>(x, y);
#else
constexpr auto z = xg::polyfit<2>(xg::cast<double>(x), y);
#endif
