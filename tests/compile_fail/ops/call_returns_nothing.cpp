// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): body::value does not return an expression
// A body that returns nothing.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr void value(auto h) { static_cast<void>(h * 2_c); }
#else
    static constexpr auto value(auto h) { return h * 2_c; }
#endif
};
constexpr auto z = xg::call<body>(x);
