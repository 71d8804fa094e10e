// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links...\): no link moves the variables
// An empty chain.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain();
#else
auto const rule = chain(adam{});
#endif
