// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): the arguments have different numbers of rows
// Rows of two numbers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::map<add>(x, xg::input<"t", float, 7, 4>);
#else
constexpr auto z = xg::map<add>(x, xg::input<"t", float, batch, 4>);
#endif
