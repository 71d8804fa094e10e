// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): body::value returns another shape or element type than that of x, which the next layer needs
// A layer that changes the shape.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::sum<0>(h); }
#else
    static constexpr auto value(auto h) { return h + xg::sum<0>(h); }
#endif
};
constexpr auto z = xg::layers<3, body>(x);
