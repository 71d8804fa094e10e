// SPDX-License-Identifier: MIT
// expect-error: xgrad: xgrad::none is used in an expression: it is the gradient of a y that does not depend on this x
// The gradient of what y does not depend on.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::input<"w", float, 4>;
constexpr auto table = xg::input<"table", float, 9, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = 2_c * xg::gradient_of(xg::sum(x), w);
#else
constexpr auto z = 2_c * xg::gradient_of(xg::sum(x), xg::unconnected_zeros, w);
#endif
