// SPDX-License-Identifier: MIT
// expect-error: xgrad::softmax_cross_entropy\(logits, labels\): logits and labels have different shapes
// Labels of another shape.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::softmax_cross_entropy(x, xg::input<"t", float, batch, 1>);
#else
constexpr auto z = xg::softmax_cross_entropy(x, xg::input<"t", float, batch, 4>);
#endif
