// SPDX-License-Identifier: MIT
// expect-error: xgrad: an extent is divided by something that is not an integer
// A quotient of two dimensions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tanh(xg::input<"z", float, batch / steps>);
#else
constexpr auto z = xg::tanh(xg::input<"z", float, batch / 2 * steps>);
#endif
