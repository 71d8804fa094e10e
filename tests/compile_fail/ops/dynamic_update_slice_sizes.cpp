// SPDX-License-Identifier: MIT
// expect-error: xgrad::dynamic_update_slice\(x, update, starts...\): the update does not have the rank of x
// A row without its axis.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t>;
constexpr auto row = xg::input<"row", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_update_slice(x, row, i, 0_c);
#else
constexpr auto z = xg::dynamic_update_slice(x, xg::expand_dims<0>(row), i, 0_c);
#endif
