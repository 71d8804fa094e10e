// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): a constant among the arguments has no element type
// A constant without element type as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto flag = xg::input<"flag", bool>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cond<twice, same>(flag, 2_c);
#else
constexpr auto z = xg::cond<twice, same>(flag, xg::constant<float, 2>);
#endif
