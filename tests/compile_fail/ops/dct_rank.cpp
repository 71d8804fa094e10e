// SPDX-License-Identifier: MIT
// expect-error: xgrad::dct<type, norm>\(x\), idct<type, norm>\(x\): x has no axis
// One number.
#include <xgrad/ops/signal/cosine_transform.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dct(x);
#else
constexpr auto z = xg::dct(xg::expand_dims<0>(x));
#endif
