// SPDX-License-Identifier: MIT
// expect-error: xgrad::gather_nd\(x, ids\), scatter_nd<\.\.\.>\(ids, updates\): the last extent of ids is not an integer of 1 \.\.\. rank
// three coordinates of a matrix.
#include <xgrad/ops/take.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;
constexpr auto e = xg::input<"e", std::int32_t, 3, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::gather_nd(x, i);
#else
constexpr auto z = xg::gather_nd(x, e);
#endif
