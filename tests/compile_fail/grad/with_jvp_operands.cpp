// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): arguments and the outer expressions that the body reads are more than 32, or its results are
// 33 arguments.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct body : xg::region {
    static constexpr auto value(auto... h) { return (h + ...); }
};
struct tangent : xg::region {
    static constexpr auto value(auto first, auto... more) { return first + (more + ...); }
};
template<int... K>
constexpr auto sum_of(std::integer_sequence<int, K...>) {
    return xg::with_jvp<body, tangent>(xg::sum(xg::input<"p", float, K + 1>)...);
}
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = sum_of(std::make_integer_sequence<int, 33>{});
#else
constexpr auto z = sum_of(std::make_integer_sequence<int, 8>{});
#endif
