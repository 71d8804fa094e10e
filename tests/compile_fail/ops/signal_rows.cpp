// SPDX-License-Identifier: MIT
// expect-error: xgrad::convolve<mode>\(a, v\), correlate<mode>\(a, v\): the axes before the last one differ
// Different numbers of rows.
#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/signal/convolve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 4, 9>;
constexpr auto v = xg::input<"v", float, 2, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::convolve(a, v);
#else
constexpr auto z = xg::convolve(a, xg::tile<2>(v));
#endif
