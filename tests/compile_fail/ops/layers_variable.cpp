// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked...\): the body reads a trainable variable
// A layer that names a variable, which all layers would share.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::variable<"w", float, 4, 4>;
struct layer : xg::region {
    static constexpr auto value(auto h) { return xg::tanh(xg::matmul(h, w)); }
};
constexpr auto z = xg::layers<3, layer>(x);
#else
constexpr auto w = xg::variable<"w", float, 3, 4, 4>;
struct layer : xg::region {
    static constexpr auto value(auto h, auto m) { return xg::tanh(xg::matmul(h, m)); }
};
constexpr auto z = xg::layers<3, layer>(x, w);
#endif
