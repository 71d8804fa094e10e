// SPDX-License-Identifier: MIT
// expect-error: xgrad: a reduction such as sum\(x\) gets several expressions
// two expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sum(x, x);
#else
constexpr auto z = xg::sum(x + x);
#endif
