// SPDX-License-Identifier: MIT
// expect-error: xgrad::while_loop<condition, body>\(carry\(start\.\.\.\)\): carries and the outer expressions that the bodies read are more than 32, or carries are more than 15
// The body reads 33 outer expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct small : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
template<int... K>
constexpr auto sum_with(auto h, std::integer_sequence<int, K...>) {
#ifdef XGRAD_EXPECT_ERROR
    return (h + ... + xg::sum(xg::input<"p", float, K + 1>));
#else
    return h + (xg::sum(xg::input<"p", float, K + 1>) + ...);
#endif
}
struct body : xg::region {
    static constexpr auto value(auto h) { return xg::carry(sum_with(h, std::make_integer_sequence<int, 33>{})); }
};
constexpr auto z = xg::while_loop<small, body>(xg::carry(x));
