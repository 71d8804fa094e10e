// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad: updated\(v\) is the value after an update, but v has no such update: value_not_updated<\.\.\.>
// expect-error[clang]: \{"w"\}.*xgrad: updated\(v\) is the value after an update, but v has no such update
// No gradient passes through a new value, so nothing makes it.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto average = xg::non_trainable<"average", float, 3>;

auto make() {
#ifdef XGRAD_EXPECT_ERROR
    auto const loss = xg::sum(xg::square(xg::updated(w) - average));
#else
    auto const loss = xg::sum(xg::square(w - average));
#endif
    return xg::minimize(loss, xg::adam{});
}
