// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): the body folds itself over rows of the same shapes, without an end
// A body that folds itself.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto so_far, auto row) { return xg::fold<body>(so_far, x + row); }
#else
    static constexpr auto value(auto so_far, auto row) { return xg::fold<add>(so_far, x + row); }
#endif
};
constexpr auto z = xg::fold<body>(start, x);
