// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant next to integers does not fit their type
// A negative number next to unsigned ones.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", std::uint8_t, 4>;
constexpr auto y = xg::input<"y", std::int8_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::greater(x, -1_c);
#else
constexpr auto z = xg::greater(y, -128_c);
#endif
