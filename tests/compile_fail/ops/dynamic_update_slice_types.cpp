// SPDX-License-Identifier: MIT
// expect-error: xgrad::dynamic_update_slice\(x, update, starts...\): x and the update differ in element type
// double in float.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t>;
constexpr auto row = xg::input<"row", double, 1, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_update_slice(x, row, i, 0_c);
#else
constexpr auto z = xg::dynamic_update_slice(x, xg::cast<float>(row), i, 0_c);
#endif
