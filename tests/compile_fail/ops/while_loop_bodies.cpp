// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): condition and body are not two types between < and >
// Bodies as arguments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::while_loop(small{}, next{}, xg::carry(x));
#else
constexpr auto z = xg::while_loop<small, next>(xg::carry(x));
#endif
