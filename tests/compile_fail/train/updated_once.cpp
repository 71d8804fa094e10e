// SPDX-License-Identifier: MIT
// expect-error: xgrad: updated\(v\) is the value after an update, but v has no such update: value_not_updated<\.\.\.>
// The value after a second update that does not exist.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto average = xg::non_trainable<"average", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

auto make() {
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(loss, xg::adam{}, xg::assign(average, xg::updated(xg::updated(w))));
#else
    return xg::minimize(loss, xg::adam{}, xg::assign(average, xg::updated(w)));
#endif
}
