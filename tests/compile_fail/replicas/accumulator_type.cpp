// SPDX-License-Identifier: MIT
// expect-error: xgrad: conditional_accumulator<T>: T is neither float nor double, the types of gradients
// Gradients of numbers that are counted.
#include <xgrad/replicas/accumulators/conditional_accumulator.hpp>

namespace xg = xgrad;

void make() {
#ifdef XGRAD_EXPECT_ERROR
    xg::conditional_accumulator<int> sums;
#else
    xg::conditional_accumulator<double> sums;
#endif
}
