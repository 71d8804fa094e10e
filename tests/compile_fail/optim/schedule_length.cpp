// SPDX-License-Identifier: MIT
// expect-error: xgrad::piecewise_constant\(boundaries, values\): more than seven boundaries are given
// Eight boundaries.
#include <xgrad/optim/schedules/schedules.hpp>

double rate(std::int64_t step) {
#ifdef XGRAD_EXPECT_ERROR
    return xgrad::piecewise_constant({1, 2, 3, 4, 5, 6, 7, 8}, {9, 8, 7, 6, 5, 4, 3, 2, 1})(step);
#else
    return xgrad::piecewise_constant({1, 2, 3, 4, 5, 6, 7}, {9, 8, 7, 6, 5, 4, 3, 2})(step);
#endif
}
