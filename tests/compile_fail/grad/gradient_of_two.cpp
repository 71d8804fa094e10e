// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradient_of\(y, x\): there is no x, or more than one
// Two xs where one is asked for.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradient_of(xg::tanh(w) + b, w, b);
#else
constexpr auto g = xg::gradients(xg::tanh(w) + b, w, b);
#endif
