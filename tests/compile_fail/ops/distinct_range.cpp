// SPDX-License-Identifier: MIT
// expect-error: xgrad::distinct_log_uniform<"name", range, draws>\(\): the range
// No classes.
#include <xgrad/ops/random/distinct_draws.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::distinct_log_uniform<"d", 0, 4>();
#else
constexpr auto z = xg::distinct_log_uniform<"d", 10, 4>();
#endif
