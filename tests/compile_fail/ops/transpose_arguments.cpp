// SPDX-License-Identifier: MIT
// expect-error: xgrad::transpose\(x\): the order of axes is not in angle brackets
// Axes as arguments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::transpose(x, 1, 0);
#else
constexpr auto z = xg::transpose<1, 0>(x);
#endif
