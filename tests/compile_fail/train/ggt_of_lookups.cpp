// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::ggt\(trainer\): a variable read only by index has a sparse gradient
// expect-error[clang]: \{"table"\}.*xgrad::ggt\(trainer\): a variable read only by index has a sparse gradient
#include <xgrad/train/ggt.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto table = xg::variable<"table", float, 30, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 5>;
void fit(std::int32_t const (&rows)[5]) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::square(xg::gather(table, ids))), xg::gradient_descent{});
#else
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::square(xg::gather(xg::tanh(table), ids))), xg::gradient_descent{});
#endif
    xg::ggt step{train};
    step(ids = rows);
}
