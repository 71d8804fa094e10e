// SPDX-License-Identifier: MIT
// expect-error: xgrad: this update rule moves matrices, but lacks a function for that
// A rule that moves matrices, but that has the bodies of one that moves elements.
#include <xgrad/optim/optim.hpp>

#ifdef XGRAD_EXPECT_ERROR
struct unfinished : xgrad::momentum {
    static constexpr bool moves_matrices = true;
};
#else
struct unfinished : xgrad::muon {};
#endif
static_assert(xgrad::explain_rule<unfinished>());
