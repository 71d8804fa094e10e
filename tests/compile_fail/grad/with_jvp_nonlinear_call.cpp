// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x...\): tangent::value is not linear in its tangents
// A square of the tangent in a call.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct body : xg::region {
    static constexpr auto value(auto a) { return xg::sin(a); }
};
struct part : xg::region {
    static constexpr auto value(auto a, auto t) {
#ifdef XGRAD_EXPECT_ERROR
        return a * t * t;
#else
        return xg::square(a) * t;
#endif
    }
};
struct tangent : xg::region {
    static constexpr auto value(auto a, auto t) { return xg::call<part>(a, t); }
};

constexpr auto y = xg::with_jvp<body, tangent>(x);
