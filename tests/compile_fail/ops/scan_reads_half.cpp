// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(\.\.\.\): the body gives or reads bfloat16 or float16, which loops cannot hold
// The body reads a variable of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, 4>;
constexpr auto start = xg::input<"start", float, 4>;
constexpr auto w = xg::variable<"w", xg::float16, 4>;

struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h * w + row)); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h * xg::cast<float>(w) + row)); }
#endif
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
