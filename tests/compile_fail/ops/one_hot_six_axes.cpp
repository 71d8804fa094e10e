// SPDX-License-Identifier: MIT
// expect-error: xgrad::one_hot<depth, axis>\(ids, on, off\): the result has more than six axes
// Ids with six axes.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", std::int32_t, 1, 1, 1, 1, 1, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::one_hot<3>(x, 1_c, 0_c);
#else
constexpr auto z = xg::one_hot<3>(xg::squeeze<0>(x), 1_c, 0_c);
#endif
