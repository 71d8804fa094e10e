// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): a start value is a constant without element type
// A constant as the start.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::while_loop<small, next>(xg::carry(1_c));
#else
constexpr auto z = xg::while_loop<small, next>(xg::carry(xg::constant<float, 1>));
#endif
