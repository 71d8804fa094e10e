// SPDX-License-Identifier: MIT
// expect-error: xgrad: this is not an update rule, because it has no static members `name`, `slots` and `sparse`
// A number among the links.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(0.5, adam{});
#else
auto const rule = chain(clip_by_norm(0.5), adam{});
#endif
