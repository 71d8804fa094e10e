// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<gradient_checkpoints<body, k>>\(\.\.\.\): k is less than 1
// No iterations between two checkpoints.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;

struct next : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scan<xg::gradient_checkpoints<next, 0>, 16>(xg::carry(x));
#else
constexpr auto y = xg::scan<xg::gradient_checkpoints<next, 1>, 16>(xg::carry(x));
#endif
