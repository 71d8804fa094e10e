// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_elements<axis>\(x, ids, updates\): axis is outside of
// an axis that x does not have.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_elements<2>(x, e, 1_c);
#else
constexpr auto z = xg::scatter_elements<1>(x, e, 1_c);
#endif
