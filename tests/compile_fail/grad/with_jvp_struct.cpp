// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): tangent is not a defined struct derived from xgrad::region
// A tangent without its base.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
struct tangent {
#else
struct tangent : xg::region {
#endif
    static constexpr auto value(auto, auto t) { return t * 2_c; }
};
constexpr auto z = xg::with_jvp<twice, tangent>(x);
