// SPDX-License-Identifier: MIT
// expect-error: xgrad::function\{y, owner\}: y is not an expression
// Gradients not taken apart.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::input<"w", float, 4>;
constexpr auto table = xg::input<"table", float, 9, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
void make() { xg::function f{xg::gradients(xg::sum(x * w), x, w)}; }
#else
void make() {
    constexpr auto g = xg::gradients(xg::sum(x * w), x, w);
    xg::function f{xg::outputs(std::get<0>(g), std::get<1>(g))};
}
#endif
