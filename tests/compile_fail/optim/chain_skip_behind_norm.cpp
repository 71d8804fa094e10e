// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): skip_nonfinite follows a norm of all gradients, like that of clip_by_global_norm, and would miss the NaN
// Gradients that a norm makes NaN before they are checked.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(clip_by_global_norm(1), skip_nonfinite{}, adam{});
#else
auto const rule = chain(skip_nonfinite{}, clip_by_global_norm(1), adam{});
#endif
