// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_elements<axis>\(x, ids, updates\): ids do not have the extents of x in the other axes
// updates for more ids than there are.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_elements<1>(x, e, x);
#else
constexpr auto z = xg::scatter_elements<1>(x, e, xg::cast<float>(e));
#endif
