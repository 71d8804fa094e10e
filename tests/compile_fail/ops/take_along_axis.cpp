// SPDX-License-Identifier: MIT
// expect-error: xgrad::take_along_axis<axis>\(x, ids\): axis is outside of
// an axis that x does not have.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::take_along_axis<-3>(x, e);
#else
constexpr auto z = xg::take_along_axis<-1>(x, e);
#endif
