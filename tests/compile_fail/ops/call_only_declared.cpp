// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): body is not a defined struct derived from xgrad::region
// A body that is defined later.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
struct body;
#else
struct body : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#endif
constexpr auto z = xg::call<body>(x);
