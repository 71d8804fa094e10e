// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body, capacity>\(carry\(start\.\.\.\)\): a carry has six axes already, and its history is stacked
// A carry of six axes with a history.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto six = xg::input<"six", float, 2, 2, 2, 2, 2, 2>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::while_loop<small, next, 100>(xg::carry(six));
#else
constexpr auto z = xg::while_loop<small, next>(xg::carry(six));
#endif
