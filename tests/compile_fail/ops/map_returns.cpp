// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): body::value does not return an expression with an element type
// Emitted values, as for scan.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto row) { return xg::carry().emit(row * 2_c); }
#else
    static constexpr auto value(auto row) { return row * 2_c; }
#endif
};
constexpr auto z = xg::map<body>(x);
