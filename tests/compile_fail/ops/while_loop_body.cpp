// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): condition or body is not a defined struct derived from xgrad::region
// A body without its base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
#ifdef XGRAD_EXPECT_ERROR
struct body {
#else
struct body : xg::region {
#endif
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
constexpr auto z = xg::while_loop<small, body>(xg::carry(x));
