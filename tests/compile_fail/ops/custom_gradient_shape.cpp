// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): gradient::value returns a gradient of another shape or element type than its argument
// A gradient that is not summed over the batch.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto start = xg::input<"start", float, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
struct gradient : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto, auto, auto g) { return std::tuple{g, g}; }
#else
    static constexpr auto value(auto, auto, auto, auto g) { return std::tuple{g, xg::sum<0>(g)}; }
#endif
};
constexpr auto z = xg::custom_gradient<add, gradient>(x, start);
