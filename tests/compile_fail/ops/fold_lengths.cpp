// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): the arguments have different numbers of rows
// Rows of two numbers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct body : xg::region {
    static constexpr auto value(auto so_far, auto row, auto mask) { return so_far + row * mask; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold<body>(start, x, xg::input<"mask", float, 7>);
#else
constexpr auto z = xg::fold<body>(start, x, xg::input<"mask", float, batch>);
#endif
