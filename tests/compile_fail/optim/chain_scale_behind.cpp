// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a link that scales the loss, like dynamic_loss_scale, follows another link, which would see scaled
// A norm of gradients that are still scaled.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(clip_by_value(-1, 1), dynamic_loss_scale{}, adam{});
#else
auto const rule = chain(dynamic_loss_scale{}, clip_by_value(-1, 1), adam{});
#endif
