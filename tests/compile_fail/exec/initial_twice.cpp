// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(how, v\.\.\.\): a variable is named twice
// Two beginnings of one variable.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto u = xg::variable<"u", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
void start() { xg::variables{w, u}.initialize(xg::initial(xg::ones_initializer{}, u, w), xg::initial(xg::he_normal{.seed = 1}, w)); }
#else
void start() { xg::variables{w, u}.initialize(xg::initial(xg::ones_initializer{}, u), xg::initial(xg::he_normal{.seed = 1}, w)); }
#endif
