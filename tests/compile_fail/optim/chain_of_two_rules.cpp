// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links...\): two links are rules
// Two rules in sequence.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(momentum{.learning_rate = 0.1, .momentum = 0.9}, adam{});
#else
auto const rule = chain(l2_regularization{}, adam{});
#endif
