// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): body::value cannot be called with rows of the arguments
// A body of two rows, called with one.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::map<add>(x);
#else
constexpr auto z = xg::map<add>(x, x);
#endif
