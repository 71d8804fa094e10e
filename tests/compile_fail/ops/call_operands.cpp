// SPDX-License-Identifier: MIT
// expect-error: xgrad::call<body>\(x\.\.\.\): arguments and the outer expressions that the body reads are more than 32, or its results are
// The body reads 33 outer expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

template<int... K>
constexpr auto sum_with(auto h, std::integer_sequence<int, K...>) {
#ifdef XGRAD_EXPECT_ERROR
    return (h + ... + xg::sum(xg::input<"p", float, K + 1>));
#else
    return h + (xg::sum(xg::input<"p", float, K + 1>) + ...);
#endif
}
struct body : xg::region {
    static constexpr auto value(auto h) { return sum_with(h, std::make_integer_sequence<int, 33>{}); }
};
constexpr auto z = xg::call<body>(x);
