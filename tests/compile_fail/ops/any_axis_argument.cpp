// SPDX-License-Identifier: MIT
// expect-error: xgrad: an axis is not a number in angle brackets, or keep_dims is not a tag
// the axis as an argument, as in NumPy.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::any(x > 0_c, 1);
#else
constexpr auto z = xg::any<1>(x > 0_c);
#endif
