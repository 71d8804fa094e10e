// SPDX-License-Identifier: MIT
// expect-error: xgrad: a tensor's size has too many named dimensions: more than two products, or more than three in one
// A fourth power of a dimension. Its third power is a stride.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim n{"n"};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto x = xg::input<"x", float, n, n, n, n>;
#else
constexpr auto x = xg::input<"x", float, n, n, n, 4>;
#endif
void run(float const* p) { xg::function{xg::tanh(x)}(x = xg::array(p, 1, 1, 1, 4)); }
