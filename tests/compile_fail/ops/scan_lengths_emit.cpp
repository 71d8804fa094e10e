// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\.\.\.\)\.lengths\(n\), \.\.\.\): the first axis of an emitted value is not that of n
// A value of the whole batch is emitted.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto h = xg::input<"h", float, batch, 4>;
constexpr auto x = xg::input<"x", float, steps, batch, 4>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;

struct next : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = before * 2_c + row;
        return xg::carry(after).emit(xg::sum(after));
    }
};
struct each : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = before * 2_c + row;
        return xg::carry(after).emit(xg::sum<1>(after));
    }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<next>(xg::carry(h).lengths(n), x);
#else
constexpr auto z = xg::scan<each>(xg::carry(h).lengths(n), x);
#endif
