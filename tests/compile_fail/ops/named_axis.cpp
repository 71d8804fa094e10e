// SPDX-License-Identifier: MIT
// expect-error: xgrad: an axis is not a number in angle brackets, or keep_dims is not a tag
// a named dimension as an axis.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sum<batch>(x);
#else
constexpr auto z = xg::sum<0>(x);
#endif
