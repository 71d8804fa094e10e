// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links...\): two links have reductions over all variables
// A global norm before a rule that sums over all variables.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(clip_by_global_norm(1), prodigy{});
#else
auto const rule = chain(clip_by_value(-1, 1), prodigy{});
#endif
