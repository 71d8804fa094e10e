// SPDX-License-Identifier: MIT
// expect-error: xgrad: there is no \+=, -=, \*= or /= of expressions, which do not change
// a sum that is added to.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto y = x += x;
#else
auto y = x + x;
#endif
