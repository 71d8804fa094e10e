// SPDX-License-Identifier: MIT
// expect-error: xgrad: accumulator.apply_grad\(gradient, local_step\): the gradient has another element type than the accumulator
// Sums are of one type.
#include <xgrad/replicas/accumulators/conditional_accumulator.hpp>

namespace xg = xgrad;

bool add(xg::conditional_accumulator<float>& sums) {
#ifdef XGRAD_EXPECT_ERROR
    return sums.apply_grad(1.0);
#else
    return sums.apply_grad(1.0f);
#endif
}
