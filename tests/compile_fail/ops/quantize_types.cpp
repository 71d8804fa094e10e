// SPDX-License-Identifier: MIT
// expect-error: xgrad: fake_quant\(x, min, max\) or quantize_and_dequantize\(x, min, max\) gets a min or max of another element type than x
// A range in double.
#include <xgrad/ops/quantization/quantize.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4, 3>;
constexpr auto least = xg::input<"least", double>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::fake_quant(x, least, 6_c);
#else
constexpr auto y = xg::fake_quant(x, xg::cast<float>(least), 6_c);
#endif
