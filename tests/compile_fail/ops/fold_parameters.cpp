// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): body::value cannot be called with start and a row
// A body that takes no row.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold<twice>(start, x);
#else
constexpr auto z = xg::fold<add>(start, x);
#endif
