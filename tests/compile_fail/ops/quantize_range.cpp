// SPDX-License-Identifier: MIT
// expect-error: xgrad: fake_quant\(x, min, max\) or quantize_and_dequantize\(x, min, max\): min or max is neither a number nor a vector of the last extent of x
// A range for each row.
#include <xgrad/ops/quantization/quantize.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4, 3>;
constexpr auto least = xg::input<"least", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::quantize_and_dequantize(x, least, 6_c);
#else
constexpr auto y = xg::quantize_and_dequantize(xg::transpose<1, 0>(x), least, 6_c);
#endif
