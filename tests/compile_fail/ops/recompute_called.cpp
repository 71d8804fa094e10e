// SPDX-License-Identifier: MIT
// expect-error: xgrad::recompute<body>\(x\.\.\.\): recompute is a body
// The body is called by itself.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;

struct next : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::recompute<next>(x);
#else
constexpr auto y = xg::call<xg::recompute<next>>(x);
#endif
