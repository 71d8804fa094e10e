// SPDX-License-Identifier: MIT
// expect-error: xgrad: sparse_conditional_accumulator<T>: T is neither float nor double, the types of gradients
// Rows of numbers that are counted.
#include <xgrad/replicas/accumulators/sparse_conditional_accumulator.hpp>

namespace xg = xgrad;

void make() {
#ifdef XGRAD_EXPECT_ERROR
    xg::sparse_conditional_accumulator<int> sums;
#else
    xg::sparse_conditional_accumulator<double> sums;
#endif
}
