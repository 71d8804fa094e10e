// SPDX-License-Identifier: MIT
// expect-error: xgrad: the shapes of the operands do not broadcast: from the right
// batch against time.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
inline constexpr xg::dim step{"time"};
constexpr auto z = x + xg::input<"t", float, step, 4>;
#else
constexpr auto z = x + xg::input<"t", float, batch, 4>;
#endif
