// SPDX-License-Identifier: MIT
// expect-error: xgrad: a trainer gets more than one owner of its variables
// Two owners, which have two variables of one name.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

auto make(xg::variables<decltype(loss)>& here, [[maybe_unused]] xg::variables<decltype(loss)>& there) {
#ifdef XGRAD_EXPECT_ERROR
    return xg::minimize(loss, xg::adam{}, here, there);
#else
    return xg::minimize(loss, xg::adam{}, here);
#endif
}
