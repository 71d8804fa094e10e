// SPDX-License-Identifier: MIT
// expect-error: xgrad::assign\(v, expression\): v is not a variable
// Assignment to an expression.
#include <xgrad/train/trainer.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;

constexpr auto average = xg::non_trainable<"average", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto change = xg::assign(xg::relu(average), w);
#else
constexpr auto change = xg::assign(average, 0.5_c * average + w);
#endif
