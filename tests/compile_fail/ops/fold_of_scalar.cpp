// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): an argument has no rows
// A number for all rows as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

constexpr auto rate = xg::input<"rate", float>;
#ifdef XGRAD_EXPECT_ERROR
struct body : xg::region {
    static constexpr auto value(auto so_far, auto row, auto r) { return so_far * r + row; }
};
constexpr auto z = xg::fold<body>(start, x, rate);
#else
struct body : xg::region {
    static constexpr auto value(auto so_far, auto row) { return so_far * rate + row; }
};
constexpr auto z = xg::fold<body>(start, x);
#endif
