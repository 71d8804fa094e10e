// SPDX-License-Identifier: MIT
// expect-error: xgrad::dropout<.name.>\(x, rate\): rate is the share of elements that become 0, from 0 to below 1; write 0.5_c
// A rate in per cent.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dropout<"drop">(x, 50_c);
#else
constexpr auto z = xg::dropout<"drop">(x, 0.5_c);
#endif
