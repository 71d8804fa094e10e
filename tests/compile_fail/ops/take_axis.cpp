// SPDX-License-Identifier: MIT
// expect-error: xgrad::take<axis>\(x, ids\): axis is outside of
// an axis that x does not have.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::take<2>(x, i);
#else
constexpr auto z = xg::take<-1>(x, i);
#endif
