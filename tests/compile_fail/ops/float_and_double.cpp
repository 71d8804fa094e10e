// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of this element-wise operation have different or unsuitable element types; write cast<float>
// float and double in one sum.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::relu(x + xg::variable<"d", double, 4>);
#else
constexpr auto z = xg::relu(x + xg::cast<float>(xg::variable<"d", double, 4>));
#endif
