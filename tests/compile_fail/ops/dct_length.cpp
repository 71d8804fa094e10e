// SPDX-License-Identifier: MIT
// expect-error: xgrad::dct<type, norm>\(x\), idct<type, norm>\(x\): the last axis has no elements, or one for type 1
// One element for type 1.
#include <xgrad/ops/signal/cosine_transform.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dct<1>(x);
#else
constexpr auto z = xg::dct<2>(x);
#endif
