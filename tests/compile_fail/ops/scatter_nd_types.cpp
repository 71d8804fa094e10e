// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_nd<\.\.\.>\(ids, updates\), scatter_nd_\.\.\.\(x, ids, updates\): the updates have another element type than x, or are bool
// a sum of bool.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_nd<3, 2>(e, xg::greater(i, 0_c));
#else
constexpr auto z = xg::scatter_nd<3, 2>(e, i);
#endif
