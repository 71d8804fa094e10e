// SPDX-License-Identifier: MIT
// expect-error: xgrad::cov\(x\), corrcoef\(x\): x has neither one axis nor two
// Three axes.
#include <xgrad/ops/products/covariance.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cov(x);
#else
constexpr auto z = xg::cov(xg::reshape<6, 4>(x));
#endif
