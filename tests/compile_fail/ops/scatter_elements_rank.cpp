// SPDX-License-Identifier: MIT
// expect-error: xgrad::scatter_elements<axis>\(x, ids, updates\): x and ids have different numbers of axes
// ids with fewer axes.
#include <xgrad/ops/scatter.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::scatter_elements<1>(x, i, 1_c);
#else
constexpr auto z = xg::index_copy<1>(x, i, 1_c);
#endif
