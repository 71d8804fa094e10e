// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x...\): tangent::value is not linear in its tangents
// A product of tangents in the iterations of a loop.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto rows = xg::input<"rows", float, 3, 4>;
struct body : xg::region {
    static constexpr auto value(auto a) { return xg::sin(a); }
};
struct turn : xg::region {   // the first carry does not depend on t
    static constexpr auto value(auto a, auto t, auto row) {
        auto const next = xg::sin(a) + row;
#ifdef XGRAD_EXPECT_ERROR
        return xg::carry(next, t * t);
#else
        return xg::carry(next, xg::cos(a) * t);
#endif
    }
};
struct tangent : xg::region {
    static constexpr auto value(auto a, auto t) { return std::get<1>(xg::scan<turn>(xg::carry(a, t), rows)); }
};

constexpr auto y = xg::with_jvp<body, tangent>(x);
