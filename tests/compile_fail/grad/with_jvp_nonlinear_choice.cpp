// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x...\): tangent::value is not linear in its tangents
// A branch that the tangent selects.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct body : xg::region {
    static constexpr auto value(auto a) { return xg::sin(a); }
};
struct unused : xg::region {
    static constexpr auto value(auto a, auto t) {
#ifdef XGRAD_EXPECT_ERROR
        return a * t * t;
#else
        return xg::square(a) * t;
#endif
    }
};
struct one : xg::region {
    static constexpr auto value(auto a, auto t) { return a * t; }
};
struct two : xg::region {
    static constexpr auto value(auto, auto t) { return t; }
};
struct tangent : xg::region {
    static constexpr auto value(auto a, auto t) {
#ifdef XGRAD_EXPECT_ERROR
        return xg::cond<one, two>(xg::greater(xg::sum(t), 0_c), a, t);
#else
        return xg::cond<one, two>(xg::greater(xg::sum(a), 0_c), a, t);
#endif
    }
};

constexpr auto y = xg::with_jvp<body, tangent>(x);
