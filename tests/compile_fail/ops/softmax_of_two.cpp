// SPDX-License-Identifier: MIT
// expect-error: xgrad: a reduction such as sum\(x\) gets several expressions
// Two expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::softmax<-1>(x, w);
#else
constexpr auto z = xg::softmax<-1>(x * w);
#endif
