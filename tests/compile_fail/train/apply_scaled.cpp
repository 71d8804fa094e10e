// SPDX-License-Identifier: MIT
// expect-error: xgrad::apply_gradients\(rule, output, pairs\.\.\.\): a rule scales the loss, and would unscale gradients that do not contain the scale
// Gradients that have never been scaled.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));
auto make() {
#ifdef XGRAD_EXPECT_ERROR
    auto const rule = xg::chain(xg::fixed_loss_scale{8}, xg::gradient_descent{});
#else
    auto const rule = xg::chain(xg::multiply_gradient{0.125}, xg::gradient_descent{});
#endif
    return xg::apply_gradients(rule, loss, xg::with_variable(xg::gradient_of(loss, w), w));
}
