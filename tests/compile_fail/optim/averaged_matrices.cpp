// SPDX-License-Identifier: MIT
// expect-error: xgrad: averaged_steps\{rule\} gets a rule that moves matrices, or has reductions per::optimizer or slots_move_behind
// Steps of matrices are averaged.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = averaged_steps{muon{}, 0.9};
#else
auto const rule = averaged_steps{adafactor{}, 0.9};
#endif
