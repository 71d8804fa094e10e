// SPDX-License-Identifier: MIT
// expect-error: xgrad::cumulative_logsumexp<axis>\(x\): x is neither float nor double
// Exponentials of integers.
#include <xgrad/ops/cumulative.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", std::int32_t, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cumulative_logsumexp<1>(x);
#else
constexpr auto z = xg::cumulative_logsumexp<1>(xg::cast<float>(x));
#endif
