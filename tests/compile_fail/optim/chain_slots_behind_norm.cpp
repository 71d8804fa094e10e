// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a link with numbers per row, column or variable, like adafactor, follows reductions of one variable, like
// Row slots after a norm of the variable.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(clip_by_norm(1), rowwise_adagrad{});
#else
auto const rule = chain(clip_by_global_norm(1), rowwise_adagrad{});
#endif
