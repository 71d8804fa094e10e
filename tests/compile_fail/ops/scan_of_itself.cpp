// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\), sequence\.\.\.\): the body contains the loop itself, with the same shapes, without an end
// A body with the loop.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::carry(std::get<0>(xg::scan<body, 3>(xg::carry(h)))); }
#else
    static constexpr auto value(auto h) { return xg::carry(std::get<0>(xg::scan<next, 3>(xg::carry(h)))); }
#endif
};
constexpr auto z = xg::scan<body, 3>(xg::carry(x));
