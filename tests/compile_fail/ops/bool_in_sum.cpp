// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of this element-wise operation have different or unsuitable element types; write cast<float>
// A truth value in a sum.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = x + xg::greater(x, 0_c);
#else
constexpr auto z = x + xg::cast<float>(xg::greater(x, 0_c));
#endif
