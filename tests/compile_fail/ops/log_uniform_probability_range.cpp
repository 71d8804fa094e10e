// SPDX-License-Identifier: MIT
// expect-error: xgrad::log_uniform_probability<range>\(ids\): the range
// No classes.
#include <xgrad/ops/distributions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::log_uniform_probability<0>(x);
#else
constexpr auto z = xg::log_uniform_probability<10>(x);
#endif
