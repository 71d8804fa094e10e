// SPDX-License-Identifier: MIT
// expect-error: xgrad: a rule with reductions over all variables, like prodigy, needs all gradients before the first update, but one depends on
// A gradient that is there only when the rule that sums it has moved another variable.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto v = xg::variable<"v", float, 3>;
constexpr auto w = xg::variable<"w", float, 3>;

auto make() {
    auto const loss = xg::sum(xg::square(v)) + xg::sum(xg::square(w));
#ifdef XGRAD_EXPECT_ERROR
    auto const second = xg::updated(v) * w;
#else
    auto const second = v * w;
#endif
    return xg::apply_gradients(xg::prodigy{}, loss, xg::with_variable(xg::gradient_of(loss, v), v), xg::with_variable(second, w));
}
