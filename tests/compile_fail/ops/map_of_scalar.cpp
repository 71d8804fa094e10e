// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): an argument has no rows
// A number for all rows as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto rate = xg::input<"rate", float>;
#ifdef XGRAD_EXPECT_ERROR
struct body : xg::region {
    static constexpr auto value(auto row, auto r) { return row * r; }
};
constexpr auto z = xg::map<body>(x, rate);
#else
struct body : xg::region {
    static constexpr auto value(auto row) { return row * rate; }
};
constexpr auto z = xg::map<body>(x);
#endif
