// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): the body takes, reads or gives bfloat16 or float16, which bodies cannot hold
// An argument of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto half = xg::variable<"half", xg::float16, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::call<twice>(half);
#else
constexpr auto z = xg::call<twice>(xg::cast<float>(half));
#endif
