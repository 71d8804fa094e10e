// SPDX-License-Identifier: MIT
// expect-error: xgrad: a reduction such as sum<axis>
// A matrix has no axis -3.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::log_sum_exp<-3>(x, xg::keep_dims);
#else
constexpr auto z = xg::log_sum_exp<-2>(x, xg::keep_dims);
#endif
