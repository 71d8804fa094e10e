// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(\.\.\.\): a carried or emitted value has six axes already, or is a constant without element type
// A constant is emitted.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row).emit(1_c); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row).emit(xg::constant<float, 1>); }
#endif
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
