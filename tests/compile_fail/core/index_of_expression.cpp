// SPDX-License-Identifier: MIT
// expect-error: xgrad: an expression is indexed by x\[i\]
// an element of an expression.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = x[0];
#else
constexpr auto y = xg::slice<0, 0, 1>(xg::transpose(x));
#endif
