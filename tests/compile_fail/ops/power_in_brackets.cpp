// SPDX-License-Identifier: MIT
// expect-error: xgrad: an element-wise function has template arguments
// the exponent as a template argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::pow<2>(x);
#else
constexpr auto z = xg::pow(x, 2_c);
#endif
