// SPDX-License-Identifier: MIT
// expect-error: xgrad: a tensor has more than six extents
// Seven extents.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::variable<"w", float, 1, 2, 3, 4, 5, 6, 7>;
#else
constexpr auto w = xg::variable<"w", float, 2, 3, 4, 5, 6, 7>;
#endif
constexpr auto z = xg::tanh(w);
