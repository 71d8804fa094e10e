// SPDX-License-Identifier: MIT
// expect-error: xgrad::function\{y, owner\}: there are more than two
// two expressions and an owner.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

int main() {
    xg::variables owner{x * w};
#ifdef XGRAD_EXPECT_ERROR
    xg::function f{x * w, x + w, owner};
#else
    xg::function f{xg::outputs(x * w, x + w), owner};
#endif
}
