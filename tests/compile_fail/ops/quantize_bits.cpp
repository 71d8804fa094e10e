// SPDX-License-Identifier: MIT
// expect-error: xgrad: the number of bits is not 2 ... 16 in fake_quant<bits>\(x, min, max\)
// More bits than TensorFlow has.
#include <xgrad/ops/quantization/quantize.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::fake_quant<32>(x, -6_c, 6_c);
#else
constexpr auto y = xg::fake_quant<16>(x, -6_c, 6_c);
#endif
