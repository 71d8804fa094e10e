// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): body::value returns another shape or element type than that of start
// A value that grows by broadcasting.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold<add>(xg::constant<float, 0>, x);
#else
constexpr auto z = xg::fold<add>(xg::broadcast_to<4>(xg::constant<float, 0>), x);
#endif
