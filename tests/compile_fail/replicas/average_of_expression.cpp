// SPDX-License-Identifier: MIT
// expect-error: xgrad::moving_average\(train, options, v\.\.\.\): a v is not a variable that this trainer updates
// An average of what is made of a variable.
#include <xgrad/replicas/moving_average.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::moving_average averages(train, {.decay = 0.9}, xg::square(w));
#else
    xg::moving_average averages(train, {.decay = 0.9}, w);
#endif
}
