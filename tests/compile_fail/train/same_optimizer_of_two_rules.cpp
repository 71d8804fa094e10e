// SPDX-License-Identifier: MIT
// expect-error: xgrad::same_optimizer\(train\): train has several rules, or assigns state
// One of two optimizers, and it is not said which.
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
    auto train = xg::minimize(loss, xg::param_group(xg::momentum{}, w), xg::adam{});
    auto second = xg::minimize(l, xg::same_optimizer(train));
#else
    auto train = xg::minimize(loss, xg::adam{});
    auto second = xg::minimize(l, xg::same_optimizer(train));
#endif
    return second();
}
float step() { return use(other); }
