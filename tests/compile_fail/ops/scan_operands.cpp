// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(\.\.\.\): carries, sequences and expressions that the body reads, or outputs and history, are more than 32 together
// The body reads 33 outer numbers one by one.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row * xg::input<"p0", float> * xg::input<"p1", float> * xg::input<"p2", float> * xg::input<"p3", float> * xg::input<"p4", float> * xg::input<"p5", float> * xg::input<"p6", float> * xg::input<"p7", float> * xg::input<"p8", float> * xg::input<"p9", float> * xg::input<"p10", float> * xg::input<"p11", float> * xg::input<"p12", float> * xg::input<"p13", float> * xg::input<"p14", float> * xg::input<"p15", float> * xg::input<"p16", float> * xg::input<"p17", float> * xg::input<"p18", float> * xg::input<"p19", float> * xg::input<"p20", float> * xg::input<"p21", float> * xg::input<"p22", float> * xg::input<"p23", float> * xg::input<"p24", float> * xg::input<"p25", float> * xg::input<"p26", float> * xg::input<"p27", float> * xg::input<"p28", float> * xg::input<"p29", float> * xg::input<"p30", float> * xg::input<"p31", float> * xg::input<"p32", float>); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(h + row * (xg::input<"p0", float> + xg::input<"p1", float> + xg::input<"p2", float> + xg::input<"p3", float> + xg::input<"p4", float> + xg::input<"p5", float> + xg::input<"p6", float> + xg::input<"p7", float> + xg::input<"p8", float> + xg::input<"p9", float> + xg::input<"p10", float> + xg::input<"p11", float> + xg::input<"p12", float> + xg::input<"p13", float> + xg::input<"p14", float> + xg::input<"p15", float> + xg::input<"p16", float> + xg::input<"p17", float> + xg::input<"p18", float> + xg::input<"p19", float> + xg::input<"p20", float> + xg::input<"p21", float> + xg::input<"p22", float> + xg::input<"p23", float> + xg::input<"p24", float> + xg::input<"p25", float> + xg::input<"p26", float> + xg::input<"p27", float> + xg::input<"p28", float> + xg::input<"p29", float> + xg::input<"p30", float> + xg::input<"p31", float> + xg::input<"p32", float>)); }
#endif
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
