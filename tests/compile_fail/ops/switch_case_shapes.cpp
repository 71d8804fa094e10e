// SPDX-License-Identifier: MIT
// expect-error: xgrad::switch_case<body\.\.\.>\(index, x\.\.\.\): the bodies return results of different shapes or element types
// One body returns a number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto k = xg::input<"k", std::int32_t>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct first : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::sum(h); }
#else
    static constexpr auto value(auto h) { return xg::broadcast_to<batch, 4>(xg::sum(h)); }
#endif
};
constexpr auto z = xg::switch_case<first, same>(k, x);
