// SPDX-License-Identifier: MIT
// expect-error: xgrad::metrics: labels of classes are not integers
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/accuracy.hpp>

#include <vector>

namespace xg = xgrad;
void measure(float const* logits) {
    xg::metrics::accuracy right;
#ifdef XGRAD_EXPECT_ERROR
    std::vector<float> const labels(8);
#else
    std::vector<int> const labels(8);
#endif
    right.update(xg::array(logits, 8, 3), labels);
}
