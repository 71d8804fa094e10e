// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_softmax_cross_entropy\(logits, labels\): the last extent of logits
// A dynamic number of classes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_softmax_cross_entropy(xg::input<"l", float, 4, batch>, xg::input<"n", std::int32_t, 4>);
#else
constexpr auto z = xg::sparse_softmax_cross_entropy(xg::input<"l", float, batch, 4>, y);
#endif
