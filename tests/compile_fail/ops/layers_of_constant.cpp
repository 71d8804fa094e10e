// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): x is a constant without element type
// A constant as x.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::layers<3, twice>(1_c);
#else
constexpr auto z = xg::layers<3, twice>(xg::constant<float, 1>);
#endif
