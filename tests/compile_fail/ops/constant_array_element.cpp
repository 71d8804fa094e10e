// SPDX-License-Identifier: MIT
// expect-error: xgrad::constant_array<table>: table is not an array,
// Elements of a type that no expression has.
#include <xgrad/ops/constant_array.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
inline constexpr long double table[] = {1, 2};
#else
inline constexpr float table[] = {1, 2};
#endif
constexpr auto z = xg::constant_array<table>;
