// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): tangent::value returns another number of tangents than the body has results
// A tangent for each argument, in place of one for each result.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct add : xg::region {
    static constexpr auto value(auto h, auto row) { return h + row; }
};
struct tangent : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto, auto th, auto trow) { return std::tuple{th, trow}; }
#else
    static constexpr auto value(auto, auto, auto th, auto trow) { return th + trow; }
#endif
};
constexpr auto z = xg::with_jvp<add, tangent>(x, xg::input<"start", float, 4>);
