// SPDX-License-Identifier: MIT
// expect-error: xgrad: a hyper-parameter, which may be a schedule, is used in arithmetic
// A rate in a product.
#include <xgrad/optim/optim.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
void slower(xg::adam& rule) { rule.learning_rate = 0.5 * rule.learning_rate; }
#else
void slower(xg::adam& rule, double rate) { rule.learning_rate = 0.5 * rate; }
#endif
