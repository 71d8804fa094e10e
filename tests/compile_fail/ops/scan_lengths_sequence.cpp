// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(carry\(start\.\.\.\)\.lengths\(n\), sequence\.\.\.\): a sequence is not \[time, rows of n, \.\.\.\]
// A sequence that all rows share.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto h = xg::input<"h", float, batch, 4>;
constexpr auto x = xg::input<"x", float, steps, batch, 4>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr auto y = xg::input<"y", float, steps, 4>;

struct next : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = before * 2_c + row;
        return xg::carry(after);
    }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scan<next>(xg::carry(h).lengths(n), y);
#else
constexpr auto z = xg::scan<next>(xg::carry(h).lengths(n), xg::broadcast_to<steps, batch, 4>(xg::expand_dims<1>(y)));
#endif
