// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(how, v\.\.\.\): a v is not a variable
// An expression of a variable begins with nothing.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
void start() { xg::variables{w}.initialize(xg::initial(xg::ones_initializer{}, xg::relu(w))); }
#else
void start() { xg::variables{w}.initialize(xg::initial(xg::ones_initializer{}, w)); }
#endif
