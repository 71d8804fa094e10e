// SPDX-License-Identifier: MIT
// expect-error: xgrad: a trainer gets an owner that is const, but a step changes its variables
// A trainer on variables that may only be read.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

#ifdef XGRAD_EXPECT_ERROR
auto make(xg::variables<decltype(loss)> const& vars) { return xg::minimize(loss, xg::adam{}, vars); }
#else
auto make(xg::variables<decltype(loss)>& vars) { return xg::minimize(loss, xg::adam{}, vars); }
#endif
