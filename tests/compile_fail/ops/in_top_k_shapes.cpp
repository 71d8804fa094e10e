// SPDX-License-Identifier: MIT
// expect-error: xgrad::in_top_k<k>\(predictions, targets\): the shapes are not
// Targets with an axis too many.
#include <xgrad/ops/order.hpp>
#include <xgrad/ops/sort.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::in_top_k<1>(x, xg::argsort(x));
#else
constexpr auto z = xg::in_top_k<1>(x, xg::argsort(xg::sum<1>(x)));
#endif
