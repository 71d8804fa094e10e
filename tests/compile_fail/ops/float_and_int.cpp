// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of this element-wise operation have different or unsuitable element types; write cast<float>
// float and int32 in one product.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = x * xg::input<"n", std::int32_t, batch, 4>;
#else
constexpr auto z = x * xg::cast<float>(xg::input<"n", std::int32_t, batch, 4>);
#endif
