// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: a rule that moves matrices, like muon, has a variable without exactly two axes
// expect-error[clang]: \{"b"\}.*xgrad: a rule that moves matrices, like muon, has a variable without exactly two axes
// A bias among the variables of Muon.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3, 2>;
constexpr auto b = xg::variable<"b", float, 2>;
auto make() {
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(xg::sum(w + b), xg::muon{});
#else
    return xg::minimize(xg::sum(w + b), xg::param_group(xg::muon{}, w), xg::adam{});
#endif
}
