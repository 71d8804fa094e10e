// SPDX-License-Identifier: MIT
// expect-error: xgrad::lookahead: the period is not a number of steps, but a rule or trainer
// A rule within lookahead.
#include <xgrad/optim/optim.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
auto rule = xg::lookahead{xg::adam{}};
#else
auto rule = xg::chain(xg::adam{}, xg::lookahead{.period = 5});
#endif
