// SPDX-License-Identifier: MIT
// expect-error: xgrad::piecewise_constant\(boundaries, values\): the number of values is wrong
// As many values as boundaries.
#include <xgrad/optim/schedules/schedules.hpp>

double rate(std::int64_t step) {
#ifdef XGRAD_EXPECT_ERROR
    return xgrad::piecewise_constant({100, 200}, {1.0, 0.5})(step);
#else
    return xgrad::piecewise_constant({100, 200}, {1.0, 0.5, 0.1})(step);
#endif
}
