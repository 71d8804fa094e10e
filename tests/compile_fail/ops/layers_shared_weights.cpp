// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): the first axis of a stacked argument is not N
// One matrix for all layers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct block : xg::region {
    static constexpr auto value(auto h, auto m) { return xg::tanh(xg::matmul(h, m)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::layers<12, block>(x, xg::variable<"u", float, 4, 4>);
#else
constexpr auto z = xg::layers<12, block>(x, xg::variable<"u", float, 12, 4, 4>);
#endif
