// SPDX-License-Identifier: MIT
// expect-error: xgrad: updated\(v\) is the value of v after its update, but no rule and no assignment updates v \(for updated\(updated\(v\)\): not twice\)
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
