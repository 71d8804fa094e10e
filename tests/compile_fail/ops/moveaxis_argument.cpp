// SPDX-License-Identifier: MIT
// expect-error: xgrad: an axis is an argument; write it in angle brackets
// The form of NumPy.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::moveaxis(x, 0, 1);
#else
constexpr auto z = xg::moveaxis<0, 1>(x);
#endif
