// SPDX-License-Identifier: MIT
// expect-error: xgrad::cond<then, otherwise>\(predicate, x\.\.\.\): arguments and the leaves that the bodies read are more than 32, or the results are
// The body reads 33 inputs.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto flag = xg::input<"flag", bool>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
template<int... K>
constexpr auto sum_with(auto h, std::integer_sequence<int, K...>) {
    return (h + ... + xg::sum(xg::input<"p", float, K + 1>));
}
struct then : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return sum_with(h, std::make_integer_sequence<int, 33>{}); }
#else
    static constexpr auto value(auto h) { return sum_with(h, std::make_integer_sequence<int, 8>{}); }
#endif
};
constexpr auto z = xg::cond<then, same>(flag, x);
