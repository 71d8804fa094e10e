// SPDX-License-Identifier: MIT
// expect-error: xgrad: train\.slot\(v, name\): the first argument is not a variable
// The name before the variable.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3>;
auto train = xg::minimize(xg::sum(w * w), xg::adam{});

#ifdef XGRAD_EXPECT_ERROR
void look() { train.slot("m", w); }
#else
void look() { train.slot(w, "m"); }
#endif
