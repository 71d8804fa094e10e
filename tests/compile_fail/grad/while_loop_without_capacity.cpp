// SPDX-License-Identifier: MIT
// expect-error: xgrad: a gradient reaches while_loop<condition, body>\(carry\(start\.\.\.\)\), which has no capacity
// A gradient of a loop that keeps no iterations.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c + 1_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::while_loop<small, next>(xg::carry(x));
#else
constexpr auto z = xg::while_loop<small, next, 100>(xg::carry(x));
#endif
void run() { xg::function f{xg::gradient_of(xg::sum(std::get<0>(z) * x), x)}; }
