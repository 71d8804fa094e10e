// SPDX-License-Identifier: MIT
// expect-error: xgrad::clip_by_norm\(x, clip_norm\): x is neither float nor double
// Integers have no norm of their type.
#include <xgrad/xgrad.hpp>

using namespace xgrad;
using namespace xgrad::literals;

constexpr auto x = input<"x", std::int32_t, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto clipped = clip_by_norm(x, 5_c);
#else
constexpr auto clipped = clip_by_norm(cast<float>(x), 5_c);
#endif
