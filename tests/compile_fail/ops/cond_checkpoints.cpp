// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): a body is gradient_checkpoints<body, k>
// Checkpoints in a branch.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto flag = xg::input<"flag", bool>;

struct next : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::cond<next, xg::gradient_checkpoints<next, 4>>(flag, x);
#else
constexpr auto y = xg::cond<next, next>(flag, x);
#endif
