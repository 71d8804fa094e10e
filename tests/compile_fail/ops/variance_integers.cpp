// SPDX-License-Identifier: MIT
// expect-error: xgrad::variance<axes...>\(x\), stddev: x is neither float nor double
// The variance of integers.
#include <xgrad/ops/moments.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", std::int32_t, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stddev<1>(x);
#else
constexpr auto z = xg::stddev<1>(xg::cast<float>(x));
#endif
