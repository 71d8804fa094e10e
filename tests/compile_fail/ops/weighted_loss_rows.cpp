// SPDX-License-Identifier: MIT
// expect-error: xgrad::weighted_loss\(losses, weights\): weights are not a number, and differ
// Weights [batch] of losses [batch, 4].
#include <xgrad/ops/losses/weighted_loss.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::input<"w", float, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::weighted_loss(x, w);
#else
constexpr auto y = xg::weighted_loss(x, xg::expand_dims<1>(w));
#endif
