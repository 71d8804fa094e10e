// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): tangent::value returns another shape or element type than that of the result
// The tangent of an argument that is broadcast.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
struct tangent : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto, auto, auto trow) { return trow; }
#else
    static constexpr auto value(auto, auto, auto, auto trow) { return xg::broadcast_to<batch, 4>(trow); }
#endif
};
constexpr auto z = xg::with_jvp<add, tangent>(x, xg::input<"start", float, 4>);
