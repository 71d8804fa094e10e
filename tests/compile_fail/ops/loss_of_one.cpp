// SPDX-License-Identifier: MIT
// expect-error: xgrad: a loss gets more or fewer than two expressions, \(logits, labels\) or \(a, b\)
// no labels.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sparse_softmax_cross_entropy(x);
#else
constexpr auto z = xg::sparse_softmax_cross_entropy(x, y);
#endif
