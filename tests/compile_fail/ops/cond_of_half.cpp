// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): a body takes, reads or gives bfloat16 or float16, which bodies cannot hold
// An argument of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto flag = xg::input<"flag", bool>;
constexpr auto half = xg::variable<"half", xg::float16, 4>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cond<twice, same>(flag, half);
#else
constexpr auto z = xg::cond<twice, same>(flag, xg::cast<float>(half));
#endif
