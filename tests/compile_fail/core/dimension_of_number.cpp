// SPDX-License-Identifier: MIT
// expect-error: xgrad::dim: the argument is not a name in quotes
// a size in place of a name.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
inline constexpr xg::dim rows{64};
#else
inline constexpr xg::dim rows{"rows"};
#endif
