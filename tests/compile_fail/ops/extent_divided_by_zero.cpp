// SPDX-License-Identifier: MIT
// expect-error: xgrad: an extent has more than two products of three factors, or a divisor outside of 1 to 1023
// A quotient by zero.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tanh(xg::input<"z", float, batch / 0>);
#else
constexpr auto z = xg::tanh(xg::input<"z", float, batch / 2>);
#endif
