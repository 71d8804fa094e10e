// SPDX-License-Identifier: MIT
// expect-error: xgrad::softmax_cross_entropy\(logits, labels\): logits and labels are not both float or both double
// Class numbers for softmax_cross_entropy.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::mean(xg::softmax_cross_entropy(x, y));
#else
constexpr auto z = xg::mean(xg::sparse_softmax_cross_entropy(x, y));
#endif
