// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: updated\(v\) is the value after an update, but v has no such update: value_not_updated<\.\.\.>
// expect-error[clang]: \{"v"\}.*xgrad: updated\(v\) is the value after an update, but v has no such update
// The new value of a variable that no rule moves.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto average = xg::non_trainable<"average", float, 3>;

auto make() {
    auto const loss = xg::sum(xg::square(w));
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(loss, xg::adam{}, xg::assign(average, xg::updated(xg::variable<"v", float, 3>)));
#else
    return xg::minimize(loss, xg::adam{}, xg::assign(average, xg::updated(w)));
#endif
}
