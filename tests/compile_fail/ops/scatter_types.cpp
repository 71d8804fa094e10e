// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_\.\.\.\(x, ids, updates\), index_\.\.\.<axis>\(x, ids, updates\): x and updates differ in element type
// updates of another type.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_add(x, i, i);
#else
constexpr auto z = xg::scatter_add(x, i, xg::expand_dims<1>(xg::cast<float>(i)));
#endif
