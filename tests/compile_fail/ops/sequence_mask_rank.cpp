// SPDX-License-Identifier: MIT
// expect-error: xgrad::sequence_mask<length>\(lengths\): the result has more than six axes
// sequence_mask of a tensor of rank 6.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::sequence_mask<4>(xg::input<"n", std::int32_t, 1, 1, 1, 1, 1, 1>);
#else
constexpr auto z = xg::sequence_mask<4>(xg::input<"n", std::int32_t, 1, 1, 1, 1, 1>);
#endif
