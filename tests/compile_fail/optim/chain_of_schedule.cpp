// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a schedule is used as a link, but it is the value of a hyper-parameter
// A schedule as a link.
#include <xgrad/optim/optim.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
auto rule = xg::chain(xg::cosine_decay{.learning_rate = 0.1, .decay_steps = 100}, xg::adam{});
#else
auto rule = xg::chain(xg::adam{.learning_rate = xg::cosine_decay{.learning_rate = 0.1, .decay_steps = 100}}, xg::ema{0.9});
#endif
