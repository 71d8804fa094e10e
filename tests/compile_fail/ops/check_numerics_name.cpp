// SPDX-License-Identifier: MIT
// expect-error: xgrad::check_numerics<"name">\(x\): the name is empty
// No text.
#include <xgrad/ops/check_numerics.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 7>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::check_numerics<"">(x);
#else
constexpr auto y = xg::check_numerics<"x">(x);
#endif
