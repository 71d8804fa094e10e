// SPDX-License-Identifier: MIT
// expect-error: xgrad: train.compute_gradients\(...\): a result of this trainer reads updated\(v\)
// A result that the first part of the step cannot give.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    constexpr auto result = xg::sum(xg::updated(w));
#else
    constexpr auto result = xg::sum(w);
#endif
    auto train = xg::apply_gradients<xg::gating::graph>(xg::adam{}, result, xg::with_variable(xg::gradient_of(loss, w), w));
    train.compute_gradients();
}
