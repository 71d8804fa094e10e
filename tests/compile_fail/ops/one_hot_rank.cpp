// SPDX-License-Identifier: MIT
// expect-error: xgrad::one_hot<depth>\(ids\): the result has more than six axes
// one_hot of a tensor of rank 6.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::one_hot<4>(xg::input<"n", std::int32_t, 1, 1, 1, 1, 1, 1>);
#else
constexpr auto z = xg::one_hot<4>(xg::input<"n", std::int32_t, 1, 1, 1, 1, 1>);
#endif
