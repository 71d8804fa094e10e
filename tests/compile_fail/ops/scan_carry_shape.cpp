// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start...\), ...\): a carry changes its shape or element type
// The carry grows by broadcasting.
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
constexpr auto z = xg::scan<cell>(xg::carry(xg::input<"one", float, 4>), x);
#else
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
#endif
