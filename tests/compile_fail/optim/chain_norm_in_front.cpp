// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a reduction over all variables, like clip_by_global_norm, follows a reduction of one variable, like
// A global norm of gradients that are clipped by their own norms.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(clip_by_norm(1), clip_by_global_norm(1), adam{});
#else
auto const rule = chain(clip_by_global_norm(1), clip_by_norm(1), adam{});
#endif
