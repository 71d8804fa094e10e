// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, gradient_checkpoints<body, k>>\(carry\(start\.\.\.\)\): the number of iterations is not known
// Checkpoints in a loop with a condition.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;

struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::while_loop<small, xg::gradient_checkpoints<next, 4>, 16>(xg::carry(x));
#else
constexpr auto y = xg::while_loop<small, next, 16>(xg::carry(x));
#endif
