// SPDX-License-Identifier: MIT
// expect-error: xgrad::same_optimizer\(train, v\.\.\.\): a v is not a variable
// An expression among the variables that the second loss moves.
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
    auto second = xg::minimize(l, xg::same_optimizer(train, xg::square(w)));
#else
    auto train = xg::minimize(loss, xg::adam{});
    auto second = xg::minimize(l, xg::same_optimizer(train, w));
#endif
    return second();
}
float step() { return use(other); }
