// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: updated\(v\) is needed to compute the update of v itself: it is used in the loss, or in an assignment that v depends on
// expect-error[clang]: \{"w"\}.*xgrad: updated\(v\) is needed to compute the update of v itself: it is used in the loss, or in an assignment that v depends on
// The loss reads what its own gradient makes.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto average = xg::non_trainable<"average", float, 3>;

auto make() {
#ifdef XGRAD_EXPECT_ERROR
    auto const loss = xg::sum(xg::square(w - xg::updated(w)));
#else
    auto const loss = xg::sum(xg::square(w - average));
#endif
    return xg::minimize(loss, xg::adam{});
}
