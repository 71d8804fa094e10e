// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): no argument is float or double, so that there is no tangent
// An integer is the only argument.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto k = xg::input<"k", std::int32_t>;
struct along : xg::region {
    static constexpr auto value(auto, auto t) { return t * 2_c; }
};
struct body : xg::region {
    static constexpr auto value(auto n) { return xg::cast<float>(n); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::with_jvp<body, along>(k);
#else
constexpr auto z = xg::call<body>(k);
#endif
