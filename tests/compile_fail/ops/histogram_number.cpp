// SPDX-License-Identifier: MIT
// expect-error: xgrad::histogram_fixed_width<n>\(x, low, high\): n is neither
// a negative number of intervals.
#include <xgrad/ops/segments.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::histogram_fixed_width<-2>(x, 0_c, 1_c);
#else
constexpr auto z = xg::histogram_fixed_width<2>(x, 0_c, 1_c);
#endif
