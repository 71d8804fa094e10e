// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize<gating>\(loss, rule\), apply_gradients<gating>\(rule, output, pairs\.\.\.\): this number is not a gating
// A gating that there is not.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
auto run() {
    return xg::minimize<static_cast<xg::gating>(3)>(loss, xg::adam{});
}
#else
auto run() {
    return xg::minimize<xg::gating::graph>(loss, xg::adam{});
}
#endif
