// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body, length>\(\.\.\.\): there are several lengths
// Rows and columns.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
    static constexpr auto value(auto h) { return xg::carry(xg::tanh(h)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<cell, 10, 4>(xg::carry(start));
#else
constexpr auto z = xg::scan<cell, 10>(xg::carry(start));
#endif
