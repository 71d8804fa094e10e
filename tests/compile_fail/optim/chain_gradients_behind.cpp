// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a link that changes gradients, like clip_by_value, follows the rule, which has used them already
// A gradient is clipped when it has been used.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(adam{}, clip_by_value(-1, 1));
#else
auto const rule = chain(clip_by_value(-1, 1), adam{});
#endif
