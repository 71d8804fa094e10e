// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_nd<\.\.\.>\(ids, updates\): the shape has more than six extents, or one is neither
// a negative extent.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_nd<3, -2>(e, i);
#else
constexpr auto z = xg::scatter_nd<3, 2>(e, i);
#endif
