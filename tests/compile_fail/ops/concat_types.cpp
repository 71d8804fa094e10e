// SPDX-License-Identifier: MIT
// expect-error: xgrad::concat<axis>\(...\): operands have different element types
// float next to int32.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::concat<1>(x, xg::input<"n", std::int32_t, batch, 4>);
#else
constexpr auto z = xg::concat<1>(x, xg::cast<float>(xg::input<"n", std::int32_t, batch, 4>));
#endif
