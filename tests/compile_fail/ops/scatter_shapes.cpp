// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_\.\.\.\(x, ids, updates\), index_\.\.\.<axis>\(x, ids, updates\): updates have another shape than take<axis>\(x, ids\)
// updates of another shape.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_max(x, i, xg::cast<float>(i));
#else
constexpr auto z = xg::scatter_max(x, i, x);
#endif
