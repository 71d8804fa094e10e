// SPDX-License-Identifier: MIT
// expect-error: xgrad: the stages of this rule's reductions do not begin with 0 or 1, or do not increase by one
// Two stages of reductions, though the slots move after the first.
#include <xgrad/optim/optim.hpp>

struct two_stages : xgrad::adafactor {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr bool slots_move_behind = true;
#endif
};
static_assert(xgrad::explain_rule<two_stages>());
