// SPDX-License-Identifier: MIT
// expect-error: xgrad: a start of dynamic_slice<sizes...>\(x, starts...\) or dynamic_update_slice\(x, update, starts...\) is not an integer
// A fraction as place.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto f = xg::input<"f", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_slice<1, 2>(x, f, 0_c);
#else
constexpr auto z = xg::dynamic_slice<1, 2>(x, xg::cast<std::int32_t>(f), 0_c);
#endif
