// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): a constant among the arguments has no element type
// A constant without element type as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::call<twice>(2_c);
#else
constexpr auto z = xg::call<twice>(xg::constant<float, 2>);
#endif
