// SPDX-License-Identifier: MIT
// expect-error[clang]: xgrad: value\(\.\.\.\) of a loop's body takes symbols, but it gets expressions
// expect-error[g++]: xgrad::scan<body>\(carry\(\.\.\.\), sequence\.\.\.\): body::value cannot be called with these arguments
// more errors: the body is called by no type, and its carry is refused
// The types of derivative(...) in a body.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(xg::symbol h, xg::symbol row) { return xg::carry(xg::tanh(h + row)); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h + row)); }
#endif
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
