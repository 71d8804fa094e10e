// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\), sequence\.\.\.\): the first argument is not carry\(\.\.\.\), or another is not an expression
// The start is not in carry(...).
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row); }
};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<cell>(start, x);
#else
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
#endif
