// SPDX-License-Identifier: MIT
// expect-error: xgrad::cov\(x\), corrcoef\(x\): x is neither float nor double
// Integers.
#include <xgrad/ops/products/covariance.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::corrcoef(x);
#else
constexpr auto z = xg::corrcoef(xg::cast<float>(x));
#endif
