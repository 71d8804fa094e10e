// SPDX-License-Identifier: MIT
// expect-error: xgrad: an element type is none of float, double, std::int32_t, std::int64_t, bool, bfloat16 and float16
// bytes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::input<"z", unsigned char, 4>;
#else
constexpr auto z = xg::input<"z", std::int32_t, 4>;
#endif
