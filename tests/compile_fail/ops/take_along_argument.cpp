// SPDX-License-Identifier: MIT
// expect-error: xgrad: the axis of take or take_along_axis is an argument
// NumPy's take_along_axis(x, ids, 1).
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::take_along_axis(x, e, 1);
#else
constexpr auto z = xg::take_along_axis<1>(x, e);
#endif
