// SPDX-License-Identifier: MIT
// expect-error: xgrad: train\.slot<name>\(v\): v is not a variable
// A slot of an expression.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3>;
auto train = xg::minimize(xg::sum(w * w), xg::adam{});

#ifdef XGRAD_EXPECT_ERROR
void look() { train.slot<"m">(w + w); }
#else
void look() { train.slot<"m">(w); }
#endif
