// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a link that averages or bounds new values, like ema and box, precedes the rule and would see the old ones
// The average of what a value was before the step.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(ema{.decay = 0.9}, adam{});
#else
auto const rule = chain(adam{}, ema{.decay = 0.9});
#endif
