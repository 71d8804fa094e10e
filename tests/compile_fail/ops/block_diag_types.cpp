// SPDX-License-Identifier: MIT
// expect-error: xgrad::block_diag\(a, b...\): operands have different element types
// Integers next to float.
#include <xgrad/ops/blocks.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto y = xg::input<"y", std::int32_t, 2, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::block_diag(x, y);
#else
constexpr auto z = xg::block_diag(x, xg::cast<float>(y));
#endif
