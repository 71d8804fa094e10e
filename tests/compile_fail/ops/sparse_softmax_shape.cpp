// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_softmax_cross_entropy\(logits, labels\): labels do not have the shape of logits without the last axis
// Labels with an axis too many.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_softmax_cross_entropy(x, xg::input<"n", std::int32_t, batch, 1>);
#else
constexpr auto z = xg::sparse_softmax_cross_entropy(x, xg::squeeze<1>(xg::input<"n", std::int32_t, batch, 1>));
#endif
