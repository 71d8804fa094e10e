// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): a start value is bfloat16 or float16, which loops cannot hold
// A start of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto half = xg::variable<"half", xg::float16, 4>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::while_loop<small, next>(xg::carry(half));
#else
constexpr auto z = xg::while_loop<small, next>(xg::carry(xg::cast<float>(half)));
#endif
