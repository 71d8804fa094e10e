// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, same_optimizer\(train\)\): there are other arguments, but the rule and the variables are those of train
// An owner next to the optimizer that brings one.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xgrad::literals;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto v = xg::variable<"v", float, 4>;
constexpr auto loss = xg::sum(xg::square(w) + v);
constexpr auto other = xg::sum(w * 2_c);

template<class Loss>
float use(Loss const& l) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(loss, xg::adam{});
    auto second = xg::minimize(l, xg::same_optimizer(train), train);
#else
    auto train = xg::minimize(loss, xg::adam{});
    auto second = xg::minimize(l, xg::same_optimizer(train));
#endif
    return second();
}
float step() { return use(other); }
