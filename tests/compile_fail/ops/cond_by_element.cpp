// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): predicate is not an expression of type bool and rank 0
// A predicate of two axes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cond<same, twice>(xg::greater(x, 0_c), x);
#else
constexpr auto z = xg::cond<same, twice>(xg::greater(xg::sum(x), 0_c), x);
#endif
