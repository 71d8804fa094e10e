// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\), sequence\.\.\.\): the body is not in angle brackets
// the body of a loop as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim turns{"turns"};
constexpr auto x = xg::input<"x", float, turns, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h + row)); }
};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan(cell{}, xg::carry(start), x);
#else
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
#endif
