// SPDX-License-Identifier: MIT
// expect-error: xgrad::lexsort\(keys\.\.\.\): a key is bool
// A truth value as a key.
#include <xgrad/ops/index/lexsort.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 9>;
constexpr auto b = xg::input<"b", bool, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::lexsort(x, b);
#else
constexpr auto z = xg::lexsort(x, xg::cast<std::int32_t>(b));
#endif
