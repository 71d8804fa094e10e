// SPDX-License-Identifier: MIT
// expect-error: xgrad::squeeze\(x\): the axis is not in angle brackets
// No axis.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::squeeze(xg::slice<1, 0, 1>(x));
#else
constexpr auto z = xg::squeeze<1>(xg::slice<1, 0, 1>(x));
#endif
