// SPDX-License-Identifier: MIT
// expect-error: xgrad::dynamic_slice<sizes...>\(x, starts...\): the sizes are not one for each axis
// More rows than x has.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_slice<4, 2>(x, i, 0_c);
#else
constexpr auto z = xg::dynamic_slice<3, 2>(x, i, 0_c);
#endif
