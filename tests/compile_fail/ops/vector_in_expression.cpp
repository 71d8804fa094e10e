// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// A std::vector next to an expression.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto z(std::vector<float> const& v) { return v * x; }
#else
auto z() { return xg::input<"v", float, batch, 4> * x; }
#endif
