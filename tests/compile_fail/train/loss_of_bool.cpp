// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rule\): the loss is neither float nor double
// A loss of truth values.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::minimize(w > xg::square(w), xg::adam{});
#else
auto train = xg::minimize(w - xg::square(w), xg::adam{});
#endif
