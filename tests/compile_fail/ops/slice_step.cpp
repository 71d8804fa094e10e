// SPDX-License-Identifier: MIT
// expect-error: xgrad::slice<axis, begin, end, step>\(x\): step is not an integer of at least 1
// Backwards.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::slice<0, 0, batch, -1>(x);
#else
constexpr auto z = xg::slice<0, 0, batch, 2>(x);
#endif
