// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradient_checkpoints<body, k>\(x\.\.\.\): gradient_checkpoints is a body
// The body is called by itself.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;

struct next : xg::region {
    static constexpr auto value(auto h, auto v) { return xg::carry(h * v); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::gradient_checkpoints<next, 2>(xg::carry(xg::constant<float, 1>), x);
#else
constexpr auto y = xg::scan<xg::gradient_checkpoints<next, 2>>(xg::carry(xg::constant<float, 1>), x);
#endif
