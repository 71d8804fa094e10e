// SPDX-License-Identifier: MIT
// expect-error: xgrad::chain\(links\.\.\.\): a rule whose slots move after the update, like sm3, cannot follow a link with reductions or numbers of
// A norm of each row, together with slots that move after the update.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = chain(sm3{}, max_row_norm(1));
#else
auto const rule = chain(adafactor{}, max_row_norm(1));
#endif
