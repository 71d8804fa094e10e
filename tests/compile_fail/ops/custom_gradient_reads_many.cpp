// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): arguments, results, their gradients and what the bodies read are more than 256
// The gradient reads 257 outer expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
template<class H, int First, int Count>
struct sum_with : xg::let<sum_with<H, First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return H{} + xg::sum(xg::input<"p", float, First + 1>);
        else return sum_with<H, First, Count / 2>{} + sum_with<H, First + Count / 2, Count - Count / 2>{};
    }
};
struct gradient : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto, auto g) { return sum_with<decltype(g), 0, 257>{}; }
#else
    static constexpr auto value(auto, auto, auto g) { return sum_with<decltype(g), 0, 8>{}; }
#endif
};
constexpr auto z = xg::custom_gradient<twice, gradient>(x);
