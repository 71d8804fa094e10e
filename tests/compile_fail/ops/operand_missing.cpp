// SPDX-License-Identifier: MIT
// expect-error: xgrad: this element-wise operation gets more or fewer operands than its value\(\.\.\.\) has parameters
// One of two.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::maximum(x);
#else
constexpr auto z = xg::maximum(x, 0_c);
#endif
