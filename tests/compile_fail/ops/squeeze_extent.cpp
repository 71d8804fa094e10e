// SPDX-License-Identifier: MIT
// expect-error: xgrad::squeeze<axis>\(x\): the extent of that axis is not 1
// Extent 4.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::squeeze<1>(x) * 2_c;
#else
constexpr auto z = xg::squeeze<1>(xg::slice<1, 0, 1>(x)) * 2_c;
#endif
