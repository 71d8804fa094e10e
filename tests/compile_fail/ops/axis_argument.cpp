// SPDX-License-Identifier: MIT
// expect-error: xgrad: an axis is not a number in angle brackets, or keep_dims is not a tag
// an axis as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::mean(x, 1);
#else
constexpr auto y = xg::mean<1>(x);
#endif
