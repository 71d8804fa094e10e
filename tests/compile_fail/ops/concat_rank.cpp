// SPDX-License-Identifier: MIT
// expect-error: xgrad::concat<axis>\(...\): operands have different ranks
// A matrix next to a vector.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::concat<0>(w, b);
#else
constexpr auto z = xg::concat<0>(w, xg::expand_dims<0>(b));
#endif
