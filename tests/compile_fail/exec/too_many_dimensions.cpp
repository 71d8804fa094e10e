// SPDX-License-Identifier: MIT
// expect-error: xgrad: a tensor's size has too many named dimensions: more than two products, or more than three in one
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
