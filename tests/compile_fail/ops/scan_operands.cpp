// SPDX-License-Identifier: MIT
// expect-error: xgrad::scan<body>\(\.\.\.\): carries, sequences and expressions that the body reads, or outputs and history, are more than 256 together
// The body reads 257 outer numbers one by one.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", float, time_steps, batch, 4>;
constexpr auto start = xg::input<"start", float, batch, 4>;

template<class H, int First, int Count>
struct sum_with : xg::let<sum_with<H, First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return H{} + xg::sum(xg::input<"p", float, First + 1>);
        else return sum_with<H, First, Count / 2>{} + sum_with<H, First + Count / 2, Count - Count / 2>{};
    }
};
struct cell : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto row) { return xg::carry(sum_with<decltype(h + row), 0, 257>{}); }
#else
    static constexpr auto value(auto h, auto row) { return xg::carry(sum_with<decltype(h + row), 0, 8>{}); }
#endif
};
constexpr auto z = xg::scan<cell>(xg::carry(start), x);
