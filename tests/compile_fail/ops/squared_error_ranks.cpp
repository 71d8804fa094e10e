// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of a loss such as squared_error.* have different ranks
// [batch, 1] and [batch] would be broadcast to [batch, batch].
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto logits = xg::input<"logits", float, batch, 1>;
constexpr auto y = xg::input<"y", float, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::mean(xg::squared_error(logits, y));
#else
constexpr auto z = xg::mean(xg::squared_error(xg::squeeze<1>(logits), y));
#endif
