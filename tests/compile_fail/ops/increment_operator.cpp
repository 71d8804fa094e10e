// SPDX-License-Identifier: MIT
// expect-error: xgrad: there is no \+\+ or -- of expressions, which do not change
// as of a number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto make() {
    auto z = x;
    ++z;
    return z;
}
#else
auto make() { return x + 1_c; }
#endif
