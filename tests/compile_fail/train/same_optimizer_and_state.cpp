// SPDX-License-Identifier: MIT
// expect-error: xgrad::apply_gradients\(same_optimizer\(train\), output, pairs\.\.\.\): an argument after the output is not with_variable\(gradient, v\)
// State that is assigned, with an optimizer that has no slots for it.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xgrad::literals;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto v = xg::variable<"v", float, 4>;
constexpr auto seen = xg::non_trainable<"seen", float, 4>;
constexpr auto loss = xg::sum(xg::square(w) + v * seen);
constexpr auto other = xg::sum(w * seen);

template<class Loss>
float use(Loss const& l) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(loss, xg::adam{});
    auto const g = xg::with_variable(xg::gradient_of(l, w), w);
    auto second = xg::apply_gradients(xg::same_optimizer(train), l, g, xg::assign(seen, seen + w));
#else
    auto train = xg::minimize(loss, xg::adam{});
    auto const g = xg::with_variable(xg::gradient_of(l, w), w);
    auto second = xg::apply_gradients(xg::same_optimizer(train), l, g);
#endif
    return second();
}
float step() { return use(other); }
