// SPDX-License-Identifier: MIT
// expect-error: xgrad::argmax<axis>\(x\), argmin<axis>\(x\): axis is outside of
// An axis that x does not have.
#include <xgrad/ops/arg_reduce.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::argmin<-3>(x);
#else
constexpr auto z = xg::argmin<-2>(x);
#endif
