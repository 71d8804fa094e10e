// SPDX-License-Identifier: MIT
// expect-error: xgrad::constant_array<table>: table has no axis or more than six
// A number in place of an array.
#include <xgrad/ops/constant_array.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
inline constexpr float table = 1;
#else
inline constexpr float table[] = {1};
#endif
constexpr auto z = xg::constant_array<table>;
