// SPDX-License-Identifier: MIT
// expect-error: xgrad::check_numerics<"name">\(x\): x is neither float nor double
// Integers.
#include <xgrad/ops/check_numerics.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 7>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::check_numerics<"i">(xg::input<"i", std::int32_t, 3>);
#else
constexpr auto y = xg::check_numerics<"x">(x);
#endif
