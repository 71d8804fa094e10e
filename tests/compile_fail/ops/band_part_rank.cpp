// SPDX-License-Identifier: MIT
// expect-error: xgrad::band_part<lower, upper>\(x\): x has fewer than two axes
// A vector.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

constexpr auto v = xg::input<"v", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::band_part<1, 1>(v);
#else
constexpr auto z = xg::band_part<1, 1>(xg::expand_dims<0>(v));
#endif
