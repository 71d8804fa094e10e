// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: the update of v needs updated\(v\), in the loss or in an assignment that v depends on: value_in_own_update<\.\.\.>
// expect-error[clang]: \{"w"\}.*xgrad: the update of v needs updated\(v\), in the loss or in an assignment that v depends on
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
