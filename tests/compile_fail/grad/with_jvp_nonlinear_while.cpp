// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x...\): tangent::value is not linear in its tangents
// A loop that runs while the tangent is small.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct body : xg::region {
    static constexpr auto value(auto a) { return xg::sin(a); }
};
struct turn : xg::region {
    static constexpr auto value(auto a, auto t) { return xg::carry(xg::sin(a), xg::cos(a) * t); }
};
struct small : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto t) { return xg::less(xg::sum(t), 1_c); }
#else
    static constexpr auto value(auto a, auto) { return xg::less(xg::sum(a), 1_c); }
#endif
};
struct tangent : xg::region {
    static constexpr auto value(auto a, auto t) { return std::get<1>(xg::while_loop<small, turn, 5>(xg::carry(a, t))); }
};

constexpr auto y = xg::with_jvp<body, tangent>(x);
