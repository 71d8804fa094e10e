// SPDX-License-Identifier: MIT
// expect-error: xgrad::meshgrid\(a, b...\): more than six operands
// Seven axes.
#include <xgrad/ops/fill.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::meshgrid(ids, ids, ids, ids, ids, ids, ids);
#else
constexpr auto z = xg::meshgrid(ids, ids, ids, ids, ids, ids);
#endif
