// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): body and tangent are not two types between < and >
// The tangent is missing.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct along : xg::region {
    static constexpr auto value(auto, auto t) { return t * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::with_jvp<twice>(x);
#else
constexpr auto z = xg::with_jvp<twice, along>(x);
#endif
