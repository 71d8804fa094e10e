// SPDX-License-Identifier: MIT
// expect-error: xgrad: fake_quant\(x, min, max\) or quantize_and_dequantize\(x, min, max\) gets an x that is not floating
// Integers.
#include <xgrad/ops/quantization/quantize.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto k = xg::input<"k", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::fake_quant(k, -6_c, 6_c);
#else
constexpr auto y = xg::fake_quant(xg::cast<float>(k), -6_c, 6_c);
#endif
