// SPDX-License-Identifier: MIT
// expect-error: xgrad::broadcast_to\(x\): the shape is not in angle brackets
// Extents as arguments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::broadcast_to(x, 3, batch, 4);
#else
constexpr auto z = xg::broadcast_to<3, batch, 4>(x);
#endif
