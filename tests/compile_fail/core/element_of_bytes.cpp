// SPDX-License-Identifier: MIT
// expect-error: xgrad: the elements of inputs and variables are float
// bytes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::input<"z", unsigned char, 4>;
#else
constexpr auto z = xg::input<"z", std::int32_t, 4>;
#endif
