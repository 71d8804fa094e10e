// SPDX-License-Identifier: MIT
// expect-error: xgrad: an extent is too complex: at most two products of three factors, each a named dimension or \(dimension \+ integer\) / integer
// A quotient of a product.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tanh(xg::input<"z", float, batch * steps / 2>);
#else
constexpr auto z = xg::tanh(xg::input<"z", float, batch * (steps / 2)>);
#endif
