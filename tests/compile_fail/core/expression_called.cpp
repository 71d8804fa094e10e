// SPDX-License-Identifier: MIT
// expect-error: xgrad: an expression is called
// extents in round brackets.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto z = xg::input<"z", float>(batch, 3);
#else
auto z = xg::input<"z", float, batch, 3>;
#endif
