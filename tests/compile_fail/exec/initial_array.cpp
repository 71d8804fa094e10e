// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(array, v\.\.\.\): the array has another element type than the variable
// Doubles for a variable of float.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
void start(std::vector<double> const& known) { xg::variables{w}.initialize(xg::initial(known, w)); }
#else
void start(std::vector<float> const& known) { xg::variables{w}.initialize(xg::initial(known, w)); }
#endif
