// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): the bodies return results of different shapes or element types
// One body returns a number.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto flag = xg::input<"flag", bool>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct then : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::sum(h); }
#else
    static constexpr auto value(auto h) { return xg::broadcast_to<batch, 4>(xg::sum(h)); }
#endif
};
constexpr auto z = xg::cond<then, same>(flag, x);
