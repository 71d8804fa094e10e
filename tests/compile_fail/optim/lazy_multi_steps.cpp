// SPDX-License-Identifier: MIT
// expect-error: xgrad: lazy\{chain\(multi_steps\{k\}, \.\.\.\)\} loses the gradients of rows that do not occur in the last of the k steps
// Rows of micro-batches before the last one.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = lazy{chain(multi_steps{4}, adam{})};
#else
auto const rule = chain(multi_steps{4}, lazy{adam{}});
#endif
