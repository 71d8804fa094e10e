// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): tangent::value does not return an expression
// A tangent that returns a number.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct tangent : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto) { return 2.0f; }
#else
    static constexpr auto value(auto, auto t) { return t * 2_c; }
#endif
};
constexpr auto z = xg::with_jvp<twice, tangent>(x);
