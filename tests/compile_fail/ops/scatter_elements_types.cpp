// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_elements<axis, how>\(x, ids, updates\): x and updates differ in element type
// a sum of bool.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_elements<1, xg::combine::add>(xg::greater(x, 0_c), e, xg::greater(e, 0_c));
#else
constexpr auto z = xg::scatter_elements<1>(xg::greater(x, 0_c), e, xg::greater(e, 0_c));
#endif
