// SPDX-License-Identifier: MIT
// expect-error: xgrad: gradient is a type and is called like a function
// the name of the type.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradient(loss, w);
#else
constexpr auto g = xg::gradient_of(loss, w);
#endif
