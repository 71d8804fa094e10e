// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<gradient_checkpoints<body, k>>\(\.\.\.\): the number of iterations cannot be divided by k
// A distance of checkpoints by which an extent cannot be divided.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
inline constexpr xg::dim steps{"steps"};

struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scan<xg::gradient_checkpoints<next, 2000>, steps>(xg::carry(x));
#else
constexpr auto y = xg::scan<xg::gradient_checkpoints<next, 200>, steps>(xg::carry(x));
#endif
