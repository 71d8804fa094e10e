// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): body::value does not return the value so far
// A tuple of values so far.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto so_far, auto row) { return std::tuple{so_far + row, row}; }
#else
    static constexpr auto value(auto so_far, auto row) { return so_far + row; }
#endif
};
constexpr auto z = xg::fold<body>(start, x);
