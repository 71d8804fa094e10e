// SPDX-License-Identifier: MIT
// expect-error: xgrad: global_max_pool\(x\) or global_average_pool\(x\) gets an x that is not
// Integers.
#include <xgrad/ops/pooling/average_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 2, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::global_average_pool(x);
#else
constexpr auto w = xg::global_average_pool(xg::cast<float>(x));
#endif
