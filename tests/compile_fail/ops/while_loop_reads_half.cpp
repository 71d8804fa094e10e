// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): a body gives or reads bfloat16 or float16, which loops cannot hold
// The body reads a variable of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto half = xg::variable<"half", xg::float16, 4>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::carry(h * half); }
#else
    static constexpr auto value(auto h) { return xg::carry(h * xg::cast<float>(half)); }
#endif
};
constexpr auto z = xg::while_loop<small, body>(xg::carry(x));
