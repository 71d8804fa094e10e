// SPDX-License-Identifier: MIT
// expect-error: xgrad::gather_nd\(x, ids\), scatter_nd<\.\.\.>\(ids, updates\): the ids have no axis
// a single id.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto j = xg::input<"j", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::gather_nd(x, j);
#else
constexpr auto z = xg::gather_nd(x, xg::expand_dims<0>(j));
#endif
