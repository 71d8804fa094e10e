// SPDX-License-Identifier: MIT
// expect-error: xgrad: a random stream has a name
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
