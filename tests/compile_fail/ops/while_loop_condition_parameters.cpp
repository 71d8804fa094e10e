// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): condition::value cannot be called with the carries
// A condition of two carries.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
struct condition : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto count) { return xg::less(xg::sum(h), count); }
#else
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
#endif
};
constexpr auto z = xg::while_loop<condition, next>(xg::carry(x));
