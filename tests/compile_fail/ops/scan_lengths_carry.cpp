// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\.\.\.\)\.lengths\(n\), \.\.\.\): the first axis of a carry is not that of n
// Rows along another axis of the carry.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto h = xg::input<"h", float, batch, 4>;
constexpr auto x = xg::input<"x", float, steps, batch, 4>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto g = xg::input<"g", float, 4, batch>;
constexpr auto y = xg::input<"y", float, steps, 4, batch>;

struct next : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = before * 2_c + row;
        return xg::carry(after);
    }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<next>(xg::carry(g).lengths(n), y);
#else
constexpr auto z = xg::scan<next>(xg::carry(g).lengths<1>(n), y);
#endif
