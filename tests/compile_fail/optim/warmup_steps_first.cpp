// SPDX-License-Identifier: MIT
// expect-error: xgrad::warmup\(schedule, steps\): the arguments are not a schedule and a number of steps
// The number of steps first.
#include <xgrad/optim/optim.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
auto rate = xg::warmup(100, xg::cosine_decay{.learning_rate = 0.1, .decay_steps = 100});
#else
auto rate = xg::warmup(xg::cosine_decay{.learning_rate = 0.1, .decay_steps = 100}, 100);
#endif
