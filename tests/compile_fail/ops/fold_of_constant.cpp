// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): start is a constant without element type
// A constant as start.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold<add>(0_c, xg::sum<1>(x));
#else
constexpr auto z = xg::fold<add>(xg::constant<float, 0>, xg::sum<1>(x));
#endif
