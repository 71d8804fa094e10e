// SPDX-License-Identifier: MIT
// expect-error: xgrad::store_slots<T>\(rule\): this rule has no slots per element
// Gradient descent keeps nothing.
#include <xgrad/optim/optim.hpp>

using namespace xgrad;
#ifdef XGRAD_EXPECT_ERROR
auto const rule = store_slots<bfloat16>(gradient_descent{});
#else
auto const rule = store_slots<bfloat16>(momentum{});
#endif
