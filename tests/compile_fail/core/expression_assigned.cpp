// SPDX-License-Identifier: MIT
// expect-error: xgrad: something is assigned to an expression
// a loop over layers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto make() {
    auto h = xg::relu(x);
    h = xg::tanh(h);
    return h;
}
#else
auto make() {
    auto h = xg::relu(x);
    auto next = xg::tanh(h);
    return next;
}
#endif
