// SPDX-License-Identifier: MIT
// expect-error: xgrad::strided_slice<axis, begin, end, step>\(x\): step is 0
// A step to the same element.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::strided_slice<1, 2, 0, 0>(x);
#else
constexpr auto z = xg::strided_slice<1, 2, 0, -1>(x);
#endif
