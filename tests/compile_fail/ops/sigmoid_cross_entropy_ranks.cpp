// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of a loss such as squared_error.* have different ranks
// The same.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto logits = xg::input<"logits", float, batch, 1>;
constexpr auto y = xg::input<"y", float, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::mean(xg::sigmoid_cross_entropy(logits, y));
#else
constexpr auto z = xg::mean(xg::sigmoid_cross_entropy(logits, xg::expand_dims<1>(y)));
#endif
