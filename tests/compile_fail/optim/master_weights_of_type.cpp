// SPDX-License-Identifier: MIT
// expect-error: xgrad::master_weights<Half>\(rule\): Half is neither xgrad::bfloat16 nor xgrad::float16
// The type of the master in place of that of the variable.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = master_weights<float>(adam{});
#else
auto const rule = master_weights<bfloat16>(adam{});
#endif
