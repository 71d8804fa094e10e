// SPDX-License-Identifier: MIT
// expect-error: xgrad::function\{y, owner\}: there are more than two arguments
// A function of a named type with three arguments.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
constexpr auto x = xg::input<"x", float>;
constexpr auto y = x * x;

#ifdef XGRAD_EXPECT_ERROR
float run() {
    xg::function<std::remove_const_t<decltype(y)>> f{y, x, x + y};
    return f(x = 2.0f);
}
#else
float run() {
    xg::function<std::remove_const_t<decltype(y)>> f{y};
    return f(x = 2.0f);
}
#endif
