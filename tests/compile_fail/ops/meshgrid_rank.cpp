// SPDX-License-Identifier: MIT
// expect-error: xgrad::meshgrid\(a, b...\): an operand has more than one axis
// A matrix.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::meshgrid(ids, x);
#else
constexpr auto z = xg::meshgrid(ids, ids);
#endif
