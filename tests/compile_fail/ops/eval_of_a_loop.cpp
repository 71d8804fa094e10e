// SPDX-License-Identifier: MIT
// expect-error: xgrad::eval\(y\): a dropout is in the body of a scan, or part of a gradient
// a model that predicts, whose loop draws.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::dropout<"drop">(xg::tanh(h + row), 0.5_c)); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h + row)); }
#endif
};
constexpr auto last = std::get<0>(xg::scan<cell>(xg::carry(start), x));
constexpr auto z = xg::eval(last);
