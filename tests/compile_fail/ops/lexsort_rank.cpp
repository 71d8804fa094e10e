// SPDX-License-Identifier: MIT
// expect-error: xgrad::lexsort\(keys\.\.\.\): the keys are single numbers and have no axis
// One number.
#include <xgrad/ops/index/lexsort.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::lexsort(x, x);
#else
constexpr auto z = xg::lexsort(xg::expand_dims<0>(x));
#endif
