// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): arguments, results, their gradients and what the bodies read are more than 32
// The gradient reads 33 outer expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
template<int... K>
constexpr auto sum_with(auto h, std::integer_sequence<int, K...>) {
#ifdef XGRAD_EXPECT_ERROR
    return (h + ... + xg::sum(xg::input<"p", float, K + 1>));
#else
    return h + (xg::sum(xg::input<"p", float, K + 1>) + ...);
#endif
}
struct gradient : xg::region {
    static constexpr auto value(auto, auto, auto g) { return sum_with(g, std::make_integer_sequence<int, 33>{}); }
};
constexpr auto z = xg::custom_gradient<twice, gradient>(x);
