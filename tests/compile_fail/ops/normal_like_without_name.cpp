// SPDX-License-Identifier: MIT
// expect-error: xgrad: a random stream has no name in angle brackets
// No name for the stream.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::square(xg::normal_like(x));
#else
constexpr auto z = xg::square(xg::normal_like<"noise">(x));
#endif
