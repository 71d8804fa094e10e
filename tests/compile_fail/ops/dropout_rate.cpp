// SPDX-License-Identifier: MIT
// expect-error: xgrad::dropout<"name">\(x, rate\): rate, the fraction of elements that become 0, is outside of \[0, 1\)
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
