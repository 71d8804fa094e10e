// SPDX-License-Identifier: MIT
// expect-error: xgrad::local_response_normalization<radius>\(x\): radius is negative
// A negative radius.
#include <xgrad/ops/normalization/local_response.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::local_response_normalization<-1>(x);
#else
constexpr auto y = xg::local_response_normalization<1>(x);
#endif
