// SPDX-License-Identifier: MIT
// expect-error: an expression is used as a number; write select
// a function of the standard library.
#include <xgrad/ops/ops.hpp>

#include <cmath>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto y = std::exp(x);
#else
constexpr auto y = xg::exp(x);
#endif
