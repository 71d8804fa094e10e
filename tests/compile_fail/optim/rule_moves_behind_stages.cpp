// SPDX-License-Identifier: MIT
// expect-error: xgrad: the stages of the reductions of an update rule must begin with 0 or 1 and increase by one in the list
// Two stages of reductions, though the slots move after the first.
#include <xgrad/optim/optim.hpp>

struct two_stages : xgrad::adafactor {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr bool slots_move_behind = true;
#endif
};
static_assert(xgrad::explain_rule<two_stages>());
