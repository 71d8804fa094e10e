// SPDX-License-Identifier: MIT
// expect-error: xgrad: axes are numbers, from 0 or from the end, as template arguments
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
