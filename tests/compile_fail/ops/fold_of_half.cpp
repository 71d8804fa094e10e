// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): the body takes, reads or gives bfloat16 or float16, which loops cannot hold
// Rows of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto half = xg::variable<"half", xg::float16, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold<add>(xg::constant<float, 0>, half);
#else
constexpr auto z = xg::fold<add>(xg::constant<float, 0>, xg::cast<float>(half));
#endif
