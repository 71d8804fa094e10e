// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): a result of the body has six axes already, and cannot be stacked
// Results of six axes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto six = xg::input<"six", float, 2, 2, 2, 2, 2, 2>;

struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::expand_dims<0>(row); }
#else
    static constexpr auto value(auto row) { return row; }
#endif
};
constexpr auto z = xg::map<body>(six);
