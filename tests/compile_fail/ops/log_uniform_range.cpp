// SPDX-License-Identifier: MIT
// expect-error: xgrad::log_uniform_like<"name", range>\(x\): the range
// No classes.
#include <xgrad/ops/distributions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::log_uniform_like<"c", 0>(x);
#else
constexpr auto z = xg::log_uniform_like<"c", 10>(x);
#endif
