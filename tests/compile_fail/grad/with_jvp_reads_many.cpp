// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): arguments, their tangents, results and what the bodies read are more than 32
// The tangent reads 33 outer expressions.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
template<int... K>
constexpr auto sum_of(std::integer_sequence<int, K...>) {
    return (xg::sum(xg::input<"p", float, K + 1>) + ...);
}
struct tangent : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto t) { return t * sum_of(std::make_integer_sequence<int, 33>{}); }
#else
    static constexpr auto value(auto, auto t) { return t * sum_of(std::make_integer_sequence<int, 8>{}); }
#endif
};
constexpr auto z = xg::with_jvp<twice, tangent>(x);
