// SPDX-License-Identifier: MIT
// expect-error: xgrad: the result of this lookup has more than six axes
// Five axes of ids, rows of two.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::gather(xg::variable<"v", float, 9, 2, 2>, xg::input<"n", std::int32_t, 1, 1, 1, 1, 1>);
#else
constexpr auto z = xg::gather(xg::variable<"v", float, 9, 2, 2>, xg::input<"n", std::int32_t, 1, 1, 1, 1>);
#endif
