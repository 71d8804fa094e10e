// SPDX-License-Identifier: MIT
// expect-error: xgrad::convolve<mode>\(a, v\), correlate<mode>\(a, v\): an operand is neither float nor double
// Integers.
#include <xgrad/ops/signal/convolve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", std::int32_t, 9>;
constexpr auto v = xg::input<"v", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::convolve(a, v);
#else
constexpr auto z = xg::convolve(xg::cast<float>(a), v);
#endif
