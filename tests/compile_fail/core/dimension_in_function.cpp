// SPDX-License-Identifier: MIT
// expect-error: xgrad: a named dimension is not constexpr
// a dimension that is a variable of a function.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
auto make() {
    xg::dim rows{"rows"};
    return xg::input<"z", float, rows, 4>;
}
#else
auto make() {
    constexpr xg::dim rows{"rows"};
    return xg::input<"z", float, rows, 4>;
}
#endif
