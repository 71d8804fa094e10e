// SPDX-License-Identifier: MIT
// expect-error: xgrad: an expression is assigned to a variable, whose values only steps
// A variable moves by updates alone.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
void decay() { w = w * 0.5_c; }
#else
auto decay() { return w * 0.5_c; }
#endif
