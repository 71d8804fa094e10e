// SPDX-License-Identifier: MIT
// expect-error: xgrad::eval\(y\): a dropout is in a custom_gradient, or part of a gradient
// The gradient of a model with dropout, without it.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::eval(xg::gradient_of(xg::sum(xg::dropout<"drop">(w * w, 0.5_c)), w));
#else
constexpr auto z = xg::gradient_of(xg::eval(xg::sum(xg::dropout<"drop">(w * w, 0.5_c))), w);
#endif
