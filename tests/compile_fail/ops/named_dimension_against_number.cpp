// SPDX-License-Identifier: MIT
// expect-error: xgrad: the shapes of the operands do not broadcast: from the right
// batch against 64.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = x + xg::input<"t", float, 64, 4>;
#else
constexpr auto z = x + xg::input<"t", float, 1, 4>;
#endif
