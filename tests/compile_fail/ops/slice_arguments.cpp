// SPDX-License-Identifier: MIT
// expect-error: xgrad::slice\(x\): axis, begin and end are not all in angle brackets
// A range as arguments.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::slice(x, 1, 0, 2);
#else
constexpr auto z = xg::slice<1, 0, 2>(x);
#endif
