// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\), sequence\.\.\.\): a carry or sequence is bfloat16 or float16
// A sequence of bfloat16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", xg::bfloat16, time_steps, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct cell : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h + row)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
#else
constexpr auto z = xg::scan<cell>(xg::carry(start), xg::cast<float>(x));
#endif
