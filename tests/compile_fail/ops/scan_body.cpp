// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\), sequence\.\.\.\): body is not derived from xgrad::region
// A body without its base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
struct cell {
#else
struct cell : xg::region {
#endif
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row); }
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
