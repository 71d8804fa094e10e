// SPDX-License-Identifier: MIT
// expect-error: xgrad: initialize\(how, \.\.\.\): how is not an initializer
// A seed in place of an initializer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
void start() { xg::variables{xg::relu(w)}.initialize(1); }
#else
void start() { xg::variables{xg::relu(w)}.initialize(xg::glorot_uniform{.seed = 1}); }
#endif
