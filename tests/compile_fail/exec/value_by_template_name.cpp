// SPDX-License-Identifier: MIT
// expect-error: xgrad: value<name>\(\): a name does not say which shape a variable has
// A name between < and >, as slot<"m">(w) has it.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;

float first(xg::variables<decltype(w)>& vars) {
#ifdef XGRAD_EXPECT_ERROR
    return vars.value<"w">()[0];
#else
    return vars.value(w)[0];
#endif
}
