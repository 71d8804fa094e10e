// SPDX-License-Identifier: MIT
// expect-error: xgrad::rotary_embedding\(x\): the width, or its part that turns, is no even integer
// More elements than a row has.
#include <xgrad/ops/attention/rotary.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto q = xg::input<"q", float, batch, 4, 5, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::rotary_embedding<xg::rotary_options{.width = 16}>(q);
#else
constexpr auto y = xg::rotary_embedding<xg::rotary_options{.width = 4}>(q);
#endif
