// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_nd<\.\.\.>\(ids, updates\), scatter_nd_\.\.\.\(x, ids, updates\): updates are not ids\.shape\[:-1\] \+ shape\[m:\]
// updates of another shape.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_nd_add(x, e, x);
#else
constexpr auto z = xg::scatter_nd_add(x, e, 1_c);
#endif
