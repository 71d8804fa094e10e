// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradients\(y, x\.\.\.\): ys, grad_ys, stop_gradients and xs are more than 256 together
// Gradients with respect to 256 things in one request.
#include <xgrad/xgrad.hpp>

#include <utility>

namespace xg = xgrad;
constexpr auto x = xg::input<"x", float>;

template<int... K>
constexpr auto many(std::integer_sequence<int, K...>) {
    return xg::gradients(xg::square(x), (static_cast<void>(K), x)...);
}
#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = many(std::make_integer_sequence<int, 256>{});
#else
constexpr auto g = many(std::make_integer_sequence<int, 31>{});
#endif
