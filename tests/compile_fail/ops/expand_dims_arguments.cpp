// SPDX-License-Identifier: MIT
// expect-error: xgrad::expand_dims\(x\): the axis is not in angle brackets
// The axis as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::expand_dims(x, 0);
#else
constexpr auto z = xg::expand_dims<0>(x);
#endif
