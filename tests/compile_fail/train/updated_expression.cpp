// SPDX-License-Identifier: MIT
// expect-error: xgrad::updated\(v\): v is not a variable
// The new value of something that has no update.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto average = xg::non_trainable<"average", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto value = xg::updated(xg::square(w));
#else
constexpr auto value = xg::updated(w);
#endif
