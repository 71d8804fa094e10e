// SPDX-License-Identifier: MIT
// expect-error: xgrad::dct<type, norm>\(x\), idct<type, norm>\(x\): there is no such type
// A type that does not exist.
#include <xgrad/ops/signal/cosine_transform.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dct<5>(x);
#else
constexpr auto z = xg::dct<4>(x);
#endif
