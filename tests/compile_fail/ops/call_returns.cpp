// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): body::value does not return an expression
// A body that returns a carry, as for a loop.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::carry(h); }
#else
    static constexpr auto value(auto h) { return h; }
#endif
};
constexpr auto z = xg::call<body>(x);
