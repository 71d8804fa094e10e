// SPDX-License-Identifier: MIT
// expect-error: xgrad::metrics::top_k_accuracy: k is missing
// No k.
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/metrics.hpp>

#include <vector>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
xg::metrics::top_k_accuracy best;
#else
xg::metrics::top_k_accuracy best(5);
#endif
