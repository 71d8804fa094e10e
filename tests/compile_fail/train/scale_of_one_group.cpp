// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rules...\): one group scales the loss and another one does not unscale its gradients
// A group that would move by scaled gradients.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto steps = xg::non_trainable<"steps", float>;
auto make() {
    using namespace xg::literals;
    auto const rule = xg::chain(xg::fixed_loss_scale{8}, xg::gradient_descent{});
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(xg::sum(w * b), xg::param_group(rule, w), xg::gradient_descent{}, xg::assign(steps, steps + 1_c));
#else
    return xg::minimize(xg::sum(w * b), xg::param_group(rule, w), rule, xg::assign(steps, steps + 1_c));
#endif
}
