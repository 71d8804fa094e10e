// SPDX-License-Identifier: MIT
// expect-error: xgrad: a reduction such as sum<axis>
// A matrix has no axis 2.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::square(xg::sum<2>(x));
#else
constexpr auto z = xg::square(xg::sum<1>(x));
#endif
