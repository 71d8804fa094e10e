// SPDX-License-Identifier: MIT
// expect-error: xgrad: the function of a hyper-parameter returns an integer
// Integers are divided, and the rate is 0 for a hundred steps.
#include <xgrad/optim/optim.hpp>

struct warm_up {
    int steps;
#ifdef XGRAD_EXPECT_ERROR
    auto operator()(std::int64_t step) const { return step / steps; }
#else
    auto operator()(std::int64_t step) const { return static_cast<double>(step) / steps; }
#endif
};
auto const rule = xgrad::adam{.learning_rate = warm_up{100}};
