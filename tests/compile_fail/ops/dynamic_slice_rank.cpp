// SPDX-License-Identifier: MIT
// expect-error: xgrad: dynamic_slice<sizes...>\(x, starts...\) or dynamic_update_slice\(x, update, starts...\) gets one number as x
// A number has no parts.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;

constexpr auto f = xg::input<"f", float>;
constexpr auto i = xg::input<"i", std::int32_t>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_slice<1>(f, i);
#else
constexpr auto z = xg::dynamic_slice<1>(xg::expand_dims<0>(f), i);
#endif
