// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): the body is not one type between < and >, or x is missing
// The body as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold(add{}, start, x);
#else
constexpr auto z = xg::fold<add>(start, x);
#endif
