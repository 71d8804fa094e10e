// SPDX-License-Identifier: MIT
// expect-error: xgrad: updated\(v\) is the value after an update, but v has no such update: value_not_updated<\.\.\.>
// A function updates nothing.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto average = xg::non_trainable<"average", float, 3>;

float read() {
    xg::variables vars{w};
#ifdef XGRAD_EXPECT_ERROR
    return xg::function{xg::sum(xg::updated(w)), vars}();
#else
    return xg::function{xg::sum(w), vars}();
#endif
}
