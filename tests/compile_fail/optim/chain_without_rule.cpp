// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links...\): no link moves the variables
// Transforms alone.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(clip_by_value(-1, 1), ema{});
#else
auto const rule = chain(clip_by_value(-1, 1), adam{}, ema{});
#endif
