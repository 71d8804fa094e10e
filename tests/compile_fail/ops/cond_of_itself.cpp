// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): a body runs itself with arguments of the same shapes
// A body that runs itself.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto flag = xg::input<"flag", bool>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct then : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::cond<then, same>(flag, h); }
#else
    static constexpr auto value(auto h) { return xg::cond<twice, same>(flag, h); }
#endif
};
constexpr auto z = xg::cond<then, same>(flag, x);
