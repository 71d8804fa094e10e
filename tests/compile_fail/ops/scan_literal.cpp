// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\), sequence\.\.\.\): a constant has no element type
// A constant as what is carried at the start.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
    static constexpr auto value(auto sum, auto row) { return xg::carry(sum + xg::sum(row)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<cell>(xg::carry(0_c), x);
#else
constexpr auto z = xg::scan<cell>(xg::carry(xg::constant<float, 0>), x);
#endif
