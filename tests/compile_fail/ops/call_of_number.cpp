// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): an argument is not an expression
// A number as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::call<twice>(1.0f);
#else
constexpr auto z = xg::call<twice>(xg::cast<float>(1_c));
#endif
