// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): arguments and the outer expressions that the body reads are more than 32, or its results are
// 33 arguments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct body : xg::region {
    static constexpr auto value(auto... h) { return (h + ...); }
};
struct gradient : xg::region {
    template<class... A>
    static constexpr auto value(A... a) {
        return values(std::tuple{a...}, std::make_index_sequence<(sizeof...(A) - 2)>{});
    }
    template<class Tuple, std::size_t... K>
    static constexpr auto values(Tuple t, std::index_sequence<K...>) {
        return std::tuple{(static_cast<void>(K), std::get<sizeof...(K) + 1>(t))...};
    }
};
template<int... K>
constexpr auto sum_of(std::integer_sequence<int, K...>) {
    return xg::custom_gradient<body, gradient>(xg::sum(xg::input<"p", float, K + 1>)...);
}
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = sum_of(std::make_integer_sequence<int, 33>{});
#else
constexpr auto z = sum_of(std::make_integer_sequence<int, 8>{});
#endif
