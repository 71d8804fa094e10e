// SPDX-License-Identifier: MIT
// expect-error: xgrad: an element type is none of float, double, bool, bfloat16, float16 and the integers of <cstdint>
// char, which is no integer type of a definite sign.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::input<"z", char, 4>;
#else
constexpr auto z = xg::input<"z", unsigned char, 4>;
#endif
