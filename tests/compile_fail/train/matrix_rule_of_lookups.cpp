// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: a rule that moves matrices, like muon, has a table with a sparse gradient, as of gather
// expect-error[clang]: \{"table"\}.*xgrad: a rule that moves matrices, like muon, has a table with a sparse gradient, as of gather
// A table of embeddings among the variables of Muon.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto table = xg::variable<"table", float, 30, 4>;
constexpr auto w = xg::variable<"w", float, 4, 2>;
constexpr auto loss = xg::sum(xg::matmul(xg::gather(table, xg::input<"ids", std::int32_t, 5>), w));
auto make() {
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(loss, xg::muon{});
#else
    return xg::minimize(loss, xg::param_group(xg::muon{}, w), xg::lazy_adam{});
#endif
}
