// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(how, v\.\.\.\): random numbers are given to a variable of integers or truth values
// A counter that begins at random.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto count = xg::non_trainable<"count", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
void start() { xg::variables{count}.initialize(xg::initial(xg::random_normal{.seed = 1}, count)); }
#else
void start() { xg::variables{count}.initialize(xg::initial(xg::ones_initializer{}, count)); }
#endif
