// SPDX-License-Identifier: MIT
// expect-error: xgrad: the last argument of vjp, jvp, hvp and gauss_newton_vp must be an expression
// A number as the direction.
#include <xgrad/grad/vector_products.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto d = xg::jvp(xg::tanh(w), w, 1.0f);
#else
constexpr auto d = xg::jvp(xg::tanh(w), w, t);
#endif
