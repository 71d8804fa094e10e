// SPDX-License-Identifier: MIT
// expect-error: xgrad: global_max_pool\(x\) or global_average_pool\(x\) gets an x with fewer
// A matrix.
#include <xgrad/ops/pooling/average_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::global_max_pool(x);
#else
constexpr auto w = xg::global_max_pool(xg::expand_dims<1>(x));
#endif
