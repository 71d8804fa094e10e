// SPDX-License-Identifier: MIT
// expect-error: xgrad::take_along_axis<axis>\(x, ids\): x and ids differ in another axis
// ids for two rows of three.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto j = xg::input<"j", std::int32_t, 2, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::take_along_axis<1>(x, j);
#else
constexpr auto z = xg::take_along_axis<0>(x, j);
#endif
