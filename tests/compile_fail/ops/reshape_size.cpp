// SPDX-License-Identifier: MIT
// expect-error: xgrad::reshape<...>\(x\): the new shape has another number of elements
// [batch, 4] as [batch, 5].
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::relu(xg::reshape<batch, 5>(x));
#else
constexpr auto z = xg::relu(xg::reshape<batch, 2, 2>(x));
#endif
