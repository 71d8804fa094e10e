// SPDX-License-Identifier: MIT
// expect-error: xgrad::dct<type, norm>\(x\), idct<type, norm>\(x\): x is neither float nor double
// Integers.
#include <xgrad/ops/signal/cosine_transform.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::idct(x);
#else
constexpr auto z = xg::idct(xg::cast<float>(x));
#endif
