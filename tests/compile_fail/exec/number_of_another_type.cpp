// SPDX-License-Identifier: MIT
// expect-error: xgrad: the number bound to this input does not fit its element type
// a fraction for an integer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto n = xg::input<"n", std::int32_t>;

int main() {
    xg::function f{xg::cast<float>(n)};
#ifdef XGRAD_EXPECT_ERROR
    f(n = 2.5);
#else
    f(n = 2);
#endif
}
