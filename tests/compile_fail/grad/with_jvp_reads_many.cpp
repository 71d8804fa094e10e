// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): arguments, their tangents, results and what the bodies read are more than 256
// The tangent reads 257 outer expressions.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
template<int First, int Count>
struct sum_of : xg::let<sum_of<First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return xg::sum(xg::input<"p", float, First + 1>);
        else return sum_of<First, Count / 2>{} + sum_of<First + Count / 2, Count - Count / 2>{};
    }
};
struct tangent : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto t) { return t * sum_of<0, 257>{}; }
#else
    static constexpr auto value(auto, auto t) { return t * sum_of<0, 8>{}; }
#endif
};
constexpr auto z = xg::with_jvp<twice, tangent>(x);
