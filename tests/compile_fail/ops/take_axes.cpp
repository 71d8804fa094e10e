// SPDX-License-Identifier: MIT
// expect-error: xgrad::take<axis>\(x, ids\), scatter_add\(x, ids, updates\) \.\.\.: the parts at the ids have more than six axes
// six axes of ids.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto j = xg::input<"j", std::int32_t, 1, 1, 1, 1, 2, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::take<1>(x, j);
#else
constexpr auto z = xg::take<1>(x, xg::reshape<4>(j));
#endif
