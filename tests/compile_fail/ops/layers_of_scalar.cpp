// SPDX-License-Identifier: MIT
// expect-error: xgrad::layers<N, body>\(x, stacked\.\.\.\): a stacked argument has no first axis
// A number for all layers among the stacked arguments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto rate = xg::input<"rate", float>;
#ifdef XGRAD_EXPECT_ERROR
struct body : xg::region {
    static constexpr auto value(auto h, auto r) { return h * r; }
};
constexpr auto z = xg::layers<3, body>(x, rate);
#else
struct body : xg::region {
    static constexpr auto value(auto h) { return h * rate; }
};
constexpr auto z = xg::layers<3, body>(x);
#endif
