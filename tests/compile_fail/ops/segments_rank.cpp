// SPDX-License-Identifier: MIT
// expect-error: xgrad::segment_\.\.\.<segments>\(x, ids\): ids have no axis, or more axes than x
// one id.
#include <xgrad/ops/segments.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto j = xg::input<"j", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::segment_sum<2>(x, j);
#else
constexpr auto z = xg::segment_sum<2>(xg::expand_dims<0>(x), xg::expand_dims<0>(j));
#endif
