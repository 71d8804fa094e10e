// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): arguments and the leaves that the bodies read are more than 256, or the results are
// The body reads 257 inputs.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
template<class H, int First, int Count>
struct sum_with : xg::let<sum_with<H, First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return H{} + xg::sum(xg::input<"p", float, First + 1>);
        else return sum_with<H, First, Count / 2>{} + sum_with<H, First + Count / 2, Count - Count / 2>{};
    }
};
struct first : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return sum_with<decltype(h), 0, 257>{}; }
#else
    static constexpr auto value(auto h) { return sum_with<decltype(h), 0, 8>{}; }
#endif
};
constexpr auto z = xg::switch_case<first, same>(k, x);
