// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): body::value does not return the next h
// A carry, as for scan.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::carry(h * 2_c); }
#else
    static constexpr auto value(auto h) { return h * 2_c; }
#endif
};
constexpr auto z = xg::layers<3, body>(x);
