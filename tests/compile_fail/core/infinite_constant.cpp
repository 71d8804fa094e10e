// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant with the suffix _c is larger than double can hold
// More than the largest double.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = x * 1e400_c;
#else
constexpr auto z = x * 1e300_c;
#endif
