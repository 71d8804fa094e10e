// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): body::value returns another number of carries than the loop begins with
// One carry becomes two.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::carry(h * 2_c, h); }
#else
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
#endif
};
constexpr auto z = xg::while_loop<small, body>(xg::carry(x));
