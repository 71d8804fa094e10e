// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant next to integers does not fit their type
// 256 next to bytes.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", std::uint8_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = x + 256_c;
#else
constexpr auto z = x + 255_c;
#endif
