// SPDX-License-Identifier: MIT
// expect-error: xgrad::ggt\(trainer\): a loss scale multiplies the gradients that GGT would see
#include <xgrad/train/ggt.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3>;
void fit() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::square(w)), xg::chain(xg::fixed_loss_scale{1024}, xg::gradient_descent{}));
#else
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::square(w)), xg::gradient_descent{});
#endif
    xg::ggt step{train};
    step();
}
