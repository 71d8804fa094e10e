// SPDX-License-Identifier: MIT
// expect-error: xgrad::map<body>\(x\.\.\.\): arguments and the outer expressions that the body reads are more than 256, or its results are
// The body reads 257 outer expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

template<class H, int First, int Count>
struct sum_with : xg::let<sum_with<H, First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return H{} + xg::sum(xg::input<"p", float, First + 1>);
        else return sum_with<H, First, Count / 2>{} + sum_with<H, First + Count / 2, Count - Count / 2>{};
    }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return sum_with<decltype(h), 0, 257>{}; }
#else
    static constexpr auto value(auto h) { return sum_with<decltype(h), 0, 8>{}; }
#endif
};
constexpr auto z = xg::map<body>(x);
