// SPDX-License-Identifier: MIT
// expect-error: xgrad: numbers in braces are bound to an input
// numbers in braces.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

int main() {
    float const numbers[] = {1, 2, 3, 4};
    xg::function f{x + x};
    static_cast<void>(numbers);
#ifdef XGRAD_EXPECT_ERROR
    f(x = {1.0f, 2.0f});
#else
    f(x = xg::array(numbers, 1, 4));
#endif
}
