// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): the body is not one type between < and >
// A lambda as the body.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::call<[](auto h) { return h * 2_c; }>(x);
#else
struct body : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
constexpr auto z = xg::call<body>(x);
#endif
