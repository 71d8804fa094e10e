// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// A std::vector as an operand of concat.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto z(std::vector<float> const& v) { return xg::concat<1>(x, v); }
#else
auto z() { return xg::concat<1>(x, x); }
#endif
