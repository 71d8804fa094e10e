// SPDX-License-Identifier: MIT
// expect-error: xgrad::grid_sample<outside, align, how>\(x, grid\): how is neither
// An area.
#include <xgrad/ops/images/sample.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;
constexpr auto g = xg::input<"g", float, 2, 4, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::grid_sample<xg::outside::zeros, false, xg::interpolation::area>(x, g);
#else
constexpr auto w = xg::grid_sample(x, g);
#endif
