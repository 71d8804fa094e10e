// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\.\.\.\), \.\.\.\): body::value returns more or fewer carries than the loop begins with
// One carry becomes two.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row, h); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row).emit(h); }
#endif
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
