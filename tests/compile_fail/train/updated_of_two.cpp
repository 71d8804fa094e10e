// SPDX-License-Identifier: MIT
// expect-error: xgrad::updated\(v\): more than one argument is given
// The new values of two variables in one call.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto sum = xg::updated(w, b);
#else
constexpr auto sum = xg::updated(w) + xg::updated(b);
#endif
