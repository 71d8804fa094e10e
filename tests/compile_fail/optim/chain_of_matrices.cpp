// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a rule that moves matrices, like muon, is in a chain, whose links see single elements
// Muon after a link that sees single elements.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(clip_by_value(-1, 1), muon{});
#else
auto const rule = chain(clip_by_value(-1, 1), lamb{});
#endif
