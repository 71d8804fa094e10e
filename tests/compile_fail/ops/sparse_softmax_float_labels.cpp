// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_softmax_cross_entropy\(logits, labels\): labels are not integers
// Probabilities for sparse_softmax_cross_entropy.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::mean(xg::sparse_softmax_cross_entropy(x, x));
#else
constexpr auto z = xg::mean(xg::softmax_cross_entropy(x, x));
#endif
