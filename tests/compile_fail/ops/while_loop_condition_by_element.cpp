// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): condition::value does not return an expression of type bool and rank 0
// A condition by element.
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
    static constexpr auto value(auto h) { return xg::less(h, 9_c); }
#else
    static constexpr auto value(auto h) { return xg::less(xg::max(h), 9_c); }
#endif
};
constexpr auto z = xg::while_loop<condition, next>(xg::carry(x));
