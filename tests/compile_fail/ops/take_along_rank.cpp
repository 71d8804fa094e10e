// SPDX-License-Identifier: MIT
// expect-error: xgrad::take_along_axis<axis>\(x, ids\): x and ids have different numbers of axes
// ids with fewer axes.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::take_along_axis<1>(x, i);
#else
constexpr auto z = xg::take_along_axis<1>(x, xg::expand_dims<1>(i));
#endif
