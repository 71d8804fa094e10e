// SPDX-License-Identifier: MIT
// expect-error: xgrad::dropout\(x, rate\): the name of the random stream is not in angle brackets, or the rate is missing
// No name.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dropout(x, 0.5_c);
#else
constexpr auto z = xg::dropout<"hidden">(x, 0.5_c);
#endif
