// SPDX-License-Identifier: MIT
// expect-error: xgrad: train.slot<name>\(v\): the rule of v has no slot of that name
// A slot that Adam does not have.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3>;
auto train = xg::minimize(xg::sum(w * w), xg::adam{});

#ifdef XGRAD_EXPECT_ERROR
void look() { train.slot<"accumulator">(w); }
#else
void look() { train.slot<"v">(w); }
#endif
