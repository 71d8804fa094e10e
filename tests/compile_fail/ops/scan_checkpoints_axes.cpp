// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<gradient_checkpoints<body, k>>\(\.\.\.\): a sequence has six axes, or an emitted value five
// An emitted value without room for the axis of segments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto wide = xg::input<"wide", float, 1, 1, 1, 1, 4>;

struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c).emit(h * wide); }
};
struct narrow : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c).emit(h * 3_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scan<xg::gradient_checkpoints<next, 4>, 16>(xg::carry(x));
#else
constexpr auto y = xg::scan<xg::gradient_checkpoints<narrow, 4>, 16>(xg::carry(x));
#endif
