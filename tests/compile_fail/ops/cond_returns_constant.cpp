// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): a result of a body is a constant without element type
// A result without element type.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto flag = xg::input<"flag", bool>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct then : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto) { return 1_c; }
#else
    static constexpr auto value(auto h) { return h * 0_c + 1_c; }
#endif
};
constexpr auto z = xg::cond<then, same>(flag, x);
