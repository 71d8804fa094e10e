// SPDX-License-Identifier: MIT
// expect-error: xgrad::reverse_sequence<elements, sequences>\(x, lengths\): an axis does not exist in x, or both are one axis
// One axis for both.
#include <xgrad/ops/windows.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::reverse_sequence<0>(x, ids);
#else
constexpr auto z = xg::reverse_sequence<1>(x, ids);
#endif
