// SPDX-License-Identifier: MIT
// expect-error: xgrad: an axis is not a number in angle brackets, or keep_dims is not a tag
// axes that stay, as NumPy says it.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::sum<1>(x, true);
#else
constexpr auto y = xg::sum<1>(x, xg::keep_dims);
#endif
