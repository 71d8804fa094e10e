// SPDX-License-Identifier: MIT
// expect-error: xgrad::mean_pairwise_squared_error\(predictions, labels\): predictions have fewer than two axes
// One number for each example has no pairs.
#include <xgrad/ops/losses/errors.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto z = xg::input<"z", float, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::mean_pairwise_squared_error(x, z);
#else
constexpr auto y = xg::mean_pairwise_squared_error(xg::expand_dims<0>(x), xg::expand_dims<0>(z));
#endif
