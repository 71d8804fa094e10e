// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): body::value cannot be called with these arguments
// A layer that takes no weights.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 12, 4, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct block : xg::region {
    static constexpr auto value(auto h, auto m) { return xg::tanh(xg::matmul(h, m)); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::layers<12, twice>(x, w);
#else
constexpr auto z = xg::layers<12, block>(x, w);
#endif
