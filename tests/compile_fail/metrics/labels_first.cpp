// SPDX-License-Identifier: MIT
// expect-error: xgrad::metrics: update\(predictions, labels\): the predictions are integers and the labels are not
// Labels and predictions turned round.
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/metrics.hpp>

#include <vector>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
void f(std::vector<int> const& y, std::vector<float> const& p) { xg::metrics::accuracy right; right.update(y, xg::array(p, 2, 3)); }
#else
void f(std::vector<int> const& y, std::vector<float> const& p) { xg::metrics::accuracy right; right.update(xg::array(p, 2, 3), y); }
#endif
