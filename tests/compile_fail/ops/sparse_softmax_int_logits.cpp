// SPDX-License-Identifier: MIT
// expect-error: xgrad::sparse_softmax_cross_entropy\(logits, labels\): logits are neither float nor double
// Integer logits.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_softmax_cross_entropy(xg::input<"n", std::int32_t, batch, 4>, y);
#else
constexpr auto z = xg::sparse_softmax_cross_entropy(xg::cast<float>(xg::input<"n", std::int32_t, batch, 4>), y);
#endif
