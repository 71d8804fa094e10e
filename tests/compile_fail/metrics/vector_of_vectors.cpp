// SPDX-License-Identifier: MIT
// expect-error: xgrad::metrics: the elements of this array are not numbers
// Rows in separate vectors.
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/metrics.hpp>

#include <vector>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
void f(std::vector<int> const& y, std::vector<std::vector<float>> const& p) { xg::metrics::accuracy right; right.update(p, y); }
#else
void f(std::vector<int> const& y, std::vector<float> const& p) { xg::metrics::accuracy right; right.update(xg::array(p, 2, 3), y); }
#endif
