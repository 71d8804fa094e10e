// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): N and body are not a number and one type between < and >
// A lambda as the body.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 12, 4, 4>;

struct block : xg::region {
    static constexpr auto value(auto h, auto m) { return xg::tanh(xg::matmul(h, m)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::layers<12, [](auto h, auto m) { return xg::tanh(xg::matmul(h, m)); }>(x, w);
#else
constexpr auto z = xg::layers<12, block>(x, w);
#endif
