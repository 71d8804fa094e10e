// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(\.\.\.\): body::value does not return its carries
// The body returns an expression.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto row) { return xg::tanh(h + row); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h + row)); }
#endif
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
