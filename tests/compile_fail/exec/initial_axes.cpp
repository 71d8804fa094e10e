// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(how, v\.\.\.\): orthogonal is given to a variable of fewer than two axes
// A vector among orthogonal matrices.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
void start() { xg::variables{w, b}.initialize(xg::initial(xg::orthogonal{.seed = 1}, w, b)); }
#else
void start() { xg::variables{w, b}.initialize(xg::initial(xg::orthogonal{.seed = 1}, w)); }
#endif
