// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): body is not a defined struct derived from xgrad::region
// A body without its base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
struct body {
#else
struct body : xg::region {
#endif
    static constexpr auto value(auto so_far, auto row) { return so_far + row; }
};
constexpr auto z = xg::fold<body>(start, x);
