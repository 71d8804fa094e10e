// SPDX-License-Identifier: MIT
// expect-error: xgrad::any\(x\), all\(x\): the operand is not bool
// numbers as truth values.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::any<1>(x);
#else
constexpr auto z = xg::any<1>(x > 0_c);
#endif
