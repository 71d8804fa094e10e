// SPDX-License-Identifier: MIT
// expect-error: xgrad: the number bound to this input does not fit its element type
// An int for std::uint8_t.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto n = xg::input<"n", std::uint8_t>;

int main() {
    xg::function f{xg::cast<float>(n)};
#ifdef XGRAD_EXPECT_ERROR
    f(n = 200);
#else
    f(n = std::uint8_t{200});
#endif
}
