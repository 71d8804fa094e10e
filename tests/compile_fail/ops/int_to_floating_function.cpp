// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operand of this operation is neither float nor double
// An integer's exponential.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::exp(y);
#else
constexpr auto z = xg::exp(xg::cast<float>(y));
#endif
