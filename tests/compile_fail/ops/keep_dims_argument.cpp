// SPDX-License-Identifier: MIT
// expect-error: xgrad: axes are numbers, from 0 or from the end, as template arguments
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
