// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(\.\.\.\), sequence\.\.\.\): the sequences have different numbers of iterations
// Two sequences of different lengths.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto row, auto mask) { return xg::carry(h + row * mask); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<cell>(xg::carry(start), x, xg::input<"mask", float, 7>);
#else
constexpr auto z = xg::scan<cell>(xg::carry(start), x, xg::input<"mask", float, time_steps>);
#endif
