// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operand of this reduction is neither float nor double
// The mean of integers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::mean(y);
#else
constexpr auto z = xg::mean(xg::cast<float>(y));
#endif
