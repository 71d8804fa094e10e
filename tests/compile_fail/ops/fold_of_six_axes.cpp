// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold<body>\(start, x\.\.\.\): start has six axes already, and its values after all rows are stacked
// A start of six axes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto six = xg::input<"six", float, 2, 2, 2, 2, 2, 2>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
constexpr auto rows = xg::input<"rows", float, 5>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fold<add>(six, rows);
#else
constexpr auto z = xg::fold<add>(xg::reshape<8, 8>(six), rows);
#endif
