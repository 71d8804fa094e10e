// SPDX-License-Identifier: MIT
// expect-error: xgrad: a loss of ranked lists needs scores and labels
// Integer labels.
#include <xgrad/ops/losses/ranking.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto z = xg::input<"z", std::int32_t, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::pairwise_logistic(x, z);
#else
constexpr auto y = xg::pairwise_logistic(x, xg::cast<float>(z));
#endif
