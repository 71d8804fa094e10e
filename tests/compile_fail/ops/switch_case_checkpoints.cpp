// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): a body is gradient_checkpoints<body, k>
// Checkpoints in a branch.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto i = xg::input<"i", std::int32_t>;

struct next : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::switch_case<next, xg::gradient_checkpoints<next, 4>>(i, x);
#else
constexpr auto y = xg::switch_case<next, next>(i, x);
#endif
