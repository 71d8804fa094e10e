// SPDX-License-Identifier: MIT
// expect-error: xgrad::assign\(v, expression\): the expression has another shape or element type than the variable
// Assignment of another shape.
#include <xgrad/train/trainer.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

constexpr auto average = xg::non_trainable<"average", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto change = xg::assign(average, b);
#else
constexpr auto change = xg::assign(average, 0.5_c * average + w);
#endif
