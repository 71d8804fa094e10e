// SPDX-License-Identifier: MIT
// expect-error: xgrad::function\{expression, owner\}: owner is neither a trainer nor xgrad::variables
// A second expression in place of the owner.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto make() {
    constexpr auto second = xg::sum(x);
    return xg::function{xg::relu(x), second};
}
#else
auto make() {
    constexpr auto second = xg::sum(x);
    return xg::function{xg::outputs(xg::relu(x), second)};
}
#endif
