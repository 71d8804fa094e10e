// SPDX-License-Identifier: MIT
// expect-error: xgrad: a hyper-parameter is neither a number, nor a schedule, nor a trivially copyable function double f\(std::int64_t step\) const
// an input as learning rate.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;


#ifdef XGRAD_EXPECT_ERROR
auto rule = xg::adam{.learning_rate = xg::input<"rate", float>};
#else
auto rule = xg::adam{.learning_rate = 0.1};
#endif
