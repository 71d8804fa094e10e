// SPDX-License-Identifier: MIT
// expect-error: xgrad: a pool such as max_pool2d<size>\(x\) gets an x that is not floating
// Integers.
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::max_pool2d<2>(x);
#else
constexpr auto w = xg::max_pool2d<2>(xg::cast<float>(x));
#endif
