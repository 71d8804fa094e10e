// SPDX-License-Identifier: MIT
// expect-error: xgrad: the size of a tensor of this expression has too many named dimensions: a product has at most three, a sum at most two such
// Four named dimensions in one tensor.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim a{"a"}, b{"b"}, c{"c"}, d{"d"};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto x = xg::input<"x", float, a, b, c, d>;
#else
constexpr auto x = xg::input<"x", float, a, b, c, 4>;
#endif
float run(float const* p) { return xg::function{xg::sum(xg::tanh(x))}(x = xg::array(p, 1, 2, 3, 4)); }
