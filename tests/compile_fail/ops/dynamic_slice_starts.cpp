// SPDX-License-Identifier: MIT
// expect-error: xgrad: dynamic_slice<sizes...>\(x, starts...\) or dynamic_update_slice\(x, update, starts...\) gets another number of starts
// The start of one axis alone.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_slice<1, 2>(x, i);
#else
constexpr auto z = xg::dynamic_slice<1, 2>(x, i, 0_c);
#endif
