// SPDX-License-Identifier: MIT
// expect-error: xgrad::take<axis, batch_dims>\(x, ids\): batch_dims is above axis, or x and ids differ
// first axes of different extents.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto j = xg::input<"j", std::int32_t, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::take<1, 1>(x, j);
#else
constexpr auto z = xg::take<1, 1>(x, i);
#endif
