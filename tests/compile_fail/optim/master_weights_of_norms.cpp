// SPDX-License-Identifier: MIT
// expect-error: xgrad: master_weights<Half>\(rule\) or stochastic_rounding\(rule\) gets a rule with reductions or slots per row
// A norm around which rounding would happen twice.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = stochastic_rounding(chain(clip_by_global_norm(1), adam{}));
#else
auto const rule = chain(clip_by_global_norm(1), stochastic_rounding(adam{}));
#endif
