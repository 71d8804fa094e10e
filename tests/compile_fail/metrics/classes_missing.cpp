// SPDX-License-Identifier: MIT
// expect-error: xgrad::metrics::confusion_matrix: the number of classes is missing
// No number of classes.
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/metrics.hpp>

#include <vector>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
xg::metrics::confusion_matrix matrix;
#else
xg::metrics::confusion_matrix matrix(10);
#endif
