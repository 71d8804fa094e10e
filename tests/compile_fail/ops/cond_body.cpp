// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): a body is not a defined struct derived from xgrad::region
// A body without its base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto flag = xg::input<"flag", bool>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
#ifdef XGRAD_EXPECT_ERROR
struct then {
#else
struct then : xg::region {
#endif
    static constexpr auto value(auto h) { return h * 2_c; }
};
constexpr auto z = xg::cond<then, same>(flag, x);
